#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/compile/module_class.h"
#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/lower/facts.h"
#include "runner/engine/model/lower/lower.h"
#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

class Names;

/// An argument of a call that is being compiled, by the position of its parameter.
using BoundArguments = std::vector<std::optional<jit::NamedValue>>;

/// Turns the objects of a model into modules, and the functions they need into TorchScript, one
/// after the other as calls to them are met. A function is compiled once for each set of argument
/// types that it is called with, as Python would run it, so its parameters need no annotations.
class Compiler {
 public:
  Compiler(Program& program, const std::shared_ptr<Object>& root);
  ~Compiler();

  /// The module of the root, with its forward compiled.
  jit::Module compile();

  /// The files, for messages at run time.
  Sources sources() const;

  /// The first return of the root's forward; where there is none of the user's, the class.
  schema::Place returns_at();

  // --- for the values that sugar.h makes

  /// What a value means in the graph of `function`.
  jit::SugaredValuePtr sugar(const Value& value, const jit::SourceRange& at,
                             jit::GraphFunction& function);

  /// The class of a module in a graph; null if the value is no module of ours.
  ModuleClass* class_of(const jit::Value* value) const;

  /// Calls a function (`self` null) or a method of the module `self` with these arguments.
  jit::SugaredValuePtr call(const std::shared_ptr<Function>& callee, jit::Value* self,
                            const std::string& name, const jit::SourceRange& at,
                            jit::GraphFunction& function, at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders);

  /// The class whose objects torch.no_grad() makes.
  c10::ClassTypePtr gradient_switch();

  /// A function of ours, written in TorchScript.
  jit::Function* own_function(const std::string& name);

  /// The function of ours that makes one list of lists of such items.
  jit::Function* flat_function(const c10::TypePtr& item);

  /// The type of objects of a NamedTuple of the file with such fields.
  c10::TupleTypePtr named_tuple(const Class& type, const std::vector<c10::TypePtr>& fields);

  /// A text that stands for a value that is none of TorchScript's where it is an argument, and the
  /// value of such an argument; null for others.
  std::string pass(const Value& value);
  const Value* passed(const jit::Value& argument) const;

  /// The forward of a module; null if it has none.
  std::shared_ptr<Function> forward_of(const Object& object);

  const Changes& changes() const { return changes_; }
  Evaluator& python() { return python_; }
  const std::shared_ptr<jit::CompilationUnit>& unit() const { return unit_; }

  /// A Refusal at a place of a tree.
  [[noreturn]] void refuse(const jit::SourceRange& at, const std::string& message,
                           const std::string& remedy = "") const;
  schema::Place place(const jit::SourceRange& at) const;

 private:
  struct Call;  // one that is being compiled: compile_call.cpp

  jit::SugaredValuePtr module_sugar(const Object& module, const jit::SourceRange& at,
                                    jit::GraphFunction& function);
  void refuse_lost_modules(const Tuple& tuple, const jit::SourceRange& at,
                           jit::GraphFunction& function);
  jit::SugaredValuePtr method_sugar(const BoundMethod& method, const jit::SourceRange& at,
                                    jit::GraphFunction& function);
  jit::Module module_of(const std::shared_ptr<Object>& object);
  ModuleClass* class_for(const std::shared_ptr<Object>& object);
  std::string key_of(const Object& object);
  void add_slots(jit::Module& module, const Object& object);
  void add_attributes(jit::Module& module, const Object& object);
  bool is_slot(const Object& object, const std::string& name, const Value& value) const;
  c10::TypePtr declared_type(const Object& object, const std::string& name) const;

  void compile_forward(ModuleClass& type);
  std::vector<LoweredParameter> parameters_of_forward(const Function& forward, Names& names,
                                                      const Statics& statics);
  jit::Function* define(const Function& function, const std::string& name, ModuleClass* self,
                        const std::vector<LoweredParameter>& parameters, Statics& statics,
                        const std::shared_ptr<Names>& names);
  jit::Function* define_once(const Function& function, const std::string& name, ModuleClass* self,
                             const std::vector<LoweredParameter>& parameters, Statics& statics,
                             const std::shared_ptr<Names>& names);
  jit::Function* specialise(Call& call);
  std::shared_ptr<jit::Source> source_of(const FileValues& file);
  std::string qualified_name(const FileValues* file, const std::string& name) const;
  FindName find_name(const Function& function) const;

  Program& program_;
  std::shared_ptr<Object> root_;
  Evaluator python_;
  Changes changes_;
  std::shared_ptr<jit::CompilationUnit> unit_ = std::make_shared<jit::CompilationUnit>();
  std::map<const FileValues*, std::shared_ptr<jit::Source>> sources_;
  std::map<std::string, std::unique_ptr<ModuleClass>> classes_;  // by key_of
  std::unordered_map<const c10::Type*, ModuleClass*> by_type_;
  std::unordered_map<const Object*, jit::Module> modules_;
  std::map<std::string, jit::Function*> functions_;  // by the key of their call
  std::set<std::string> open_;                       // being compiled now
  SharedValues shared_;
  std::vector<Value> passed_;  // functions and configurations given to functions
  std::map<std::string, jit::Function*> flat_functions_;   // by the type of the items
  std::map<std::string, c10::TupleTypePtr> named_tuples_;  // by class and types
  std::shared_ptr<Function> sequential_;                   // the forward of nn.Sequential
  std::vector<std::shared_ptr<Names>> names_;              // live until everything is compiled
  std::vector<std::shared_ptr<Object>> kept_;              // so that no address is used twice
};

/// What the names of one function mean: the resolver of its free names and types.
class Names : public jit::Resolver, public References {
 public:
  Names(Compiler& compiler, const Function& function, ModuleClass* self)
      : compiler_(compiler), function_(function), self_(self) {}

  std::string refer(const Value& value) override;
  std::optional<std::string> refer_type(const syntax::Expression& annotation,
                                        const Statics& statics, bool must_know) override;
  bool can_refer(const Value& value) const override;
  std::string refer_type(const c10::TypePtr& type);
  std::string pass(const Value& value) override { return compiler_.pass(value); }
  std::string type_of_absent(const std::string& variable) override;

  /// What a module that is given as the input `index` of a function is to that function: known as
  /// `self` is, but reached from there.
  std::shared_ptr<Object> given(std::size_t index, const Object& module,
                                std::vector<std::string> path = {});

  /// Reads off an error of the emitter what a variable that was None at first holds. False if it is
  /// about something else, or known already.
  bool learn_type(const std::string& error);

  jit::SugaredValuePtr resolveValue(const std::string& name, jit::GraphFunction& function,
                                    const jit::SourceRange& at) override;
  c10::TypePtr resolveType(const std::string& name, const jit::SourceRange& at) override;

 private:
  Compiler& compiler_;
  const Function& function_;
  ModuleClass* self_;
  std::vector<Value> values_;
  std::vector<c10::TypePtr> types_;
  std::map<std::string, c10::TypePtr> absent_;  // variables that are None first: what they may hold
  struct Input {
    std::size_t index;
    std::vector<std::string> path;
    std::shared_ptr<Object> object;
  };
  std::map<const Object*, Input> inputs_;  // modules given to the function, and those in them
};

/// Says that a function's `**kwargs` hold nothing: what has no name cannot be given.
void bind_no_keywords(const Function& function, Statics& statics);

/// Refuses a graph in which a Tensor becomes a number without anybody having asked for it.
void check_graphs(const Compiler& compiler);

/// The error of TorchScript's compiler at the user's line, in a sentence.
[[noreturn]] void throw_compile_error(const std::string& text, const Sources& sources);

}  // namespace knead::engine::model
