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
#include "runner/engine/model/compile/submodules.h"
#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/lower/facts.h"
#include "runner/engine/model/lower/lower.h"
#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

class Names;

/// Turns the objects of a model into TorchScript modules and compiles each function when a call of
/// it is met. A function is compiled once for each set of argument types that it is called with, so
/// its parameters need no annotations. Runs on one thread.
///
/// compile() lowers forward of the root to a tree and hands it to the emitter of LibTorch. The
/// emitter asks Names for each name, gets a sugared value, and calls it; a call of a function comes
/// back to call(), which compiles the callee in the same way before the emitter goes on. Recursion
/// is refused. The compiler must live until compile() has returned; the module does not refer to
/// it. After an exception it must not be used again.
class Compiler {
 public:
  /// Prepares to compile `root`; `program` owns the source files and must outlive the compiler.
  /// compile() may add a file to it.
  Compiler(Program& program, const std::shared_ptr<Object>& root);
  ~Compiler();

  /// Returns the TorchScript module of the root, with its forward compiled. Throws syntax::Refusal
  /// at the user's line. Must be called once.
  jit::Module compile();
  /// Returns the module without methods; in place of compile().
  jit::Module assemble() { return module_of(root_); }

  /// Returns the source files of the program, for messages at run time. Complete only after
  /// compile().
  Sources sources() const;

  /// Returns the place of the first return of the root's forward; the place of the class if forward
  /// is not in the user's file; the start of the user's file if the class is not there either.
  schema::Place returns_at();

  // --- called by the sugared values of sugar.h

  /// Returns the sugared value that stands for `value` in the graph of `function`. A module is
  /// reached through the first input of the function. Throws syntax::Refusal at `at` for a value
  /// that TorchScript cannot represent, such as a list of several types.
  jit::SugaredValuePtr sugar(const Value& value, const jit::SourceRange& at,
                             jit::GraphFunction& function);

  /// Returns the class of a module in a graph; null if the value is not a compiled module.
  ModuleClass* class_of(const jit::Value* value) const;

  /// Returns what emits the reads of modules in the function that is being compiled.
  Submodules& submodules() { return submodules_.back(); }

  /// Emits a call of a function (`self` is null) or of a method of the module `self` with these
  /// arguments, and compiles the callee first if needed. `name` is the name of the compiled method,
  /// `binders` the number of results that the caller unpacks. Throws syntax::Refusal at `at` if the
  /// arguments do not fit, or for an error inside a layer, whose place is then the first of the
  /// calls.
  jit::SugaredValuePtr call(const std::shared_ptr<Function>& callee, jit::Value* self,
                            const std::string& name, const jit::SourceRange& at,
                            jit::GraphFunction& function, at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders);

  /// Emits F.apply(…) of a torch.autograd.Function `type`: compiles its forward and backward for
  /// these arguments. Throws syntax::Refusal at `at` if the arguments or the results do not fit.
  jit::SugaredValuePtr apply(const Class& type, const jit::SourceRange& at,
                             jit::GraphFunction& function, at::ArrayRef<jit::NamedValue> arguments);
  /// Returns whether a type is that of a context that apply() made.
  bool is_context(const c10::TypePtr& type) const { return contexts_.contains(type.get()); }

  /// Returns the TorchScript class that implements torch.no_grad() and torch.enable_grad(). It
  /// restores the mode that it found. Made on first use.
  c10::ClassTypePtr gradient_switch();

  /// Returns a function of own_source.cpp by its name, for example "sum" or "finfo_max"; compiles
  /// it on first use. The compilation unit owns the result.
  jit::Function* own_function(const std::string& name);

  /// Compiles a text that defines one function `transform`, for one call. Its nodes have the place
  /// `at`: LibTorch shows no other place for an exception that the function raises. `name` becomes
  /// a part of the qualified name. The compilation unit owns the result.
  jit::Function* function_of_text(const std::string& name, const std::string& text,
                                  const jit::SourceRange& at);

  /// Returns the function that flattens a list of lists whose items have the type `item`. Made on
  /// first use for each type.
  jit::Function* flat_function(const c10::TypePtr& item);

  /// Returns the named tuple type for a NamedTuple of the file with fields of these types, in the
  /// order of the fields. Equal types give the same result.
  c10::TupleTypePtr named_tuple(const Class& type, const std::vector<c10::TypePtr>& fields);

  /// Registers a value that TorchScript cannot represent as an argument (a function or a
  /// configuration) and returns the text that stands for it.
  std::string pass(const Value& value);
  /// Returns the value that pass() registered for this argument; null for any other argument.
  const Value* passed(const jit::Value& argument) const;

  /// Returns the forward of a module; null if its class has none. nn.Sequential, which has no
  /// source, gets a forward written in Python.
  std::shared_ptr<Function> forward_of(const Object& object);

  /// Returns the attributes that methods of this model assign.
  const Changes& changes() const { return changes_; }
  /// Returns an evaluator for Python's arithmetic on constants. It runs no source and has no
  /// built-in names.
  Evaluator& python() { return python_; }
  const std::shared_ptr<jit::CompilationUnit>& unit() const { return unit_; }

  /// Throws syntax::Refusal at the user's line; knead::Error if the range is not in a source file.
  [[noreturn]] void refuse(const jit::SourceRange& at, const std::string& message,
                           const std::string& remedy = "") const;
  /// Converts a range of a TorchScript tree to a place of a source file; empty if the range is not
  /// in a file that was compiled so far.
  schema::Place place(const jit::SourceRange& at) const;
  /// Returns whether a range is in a layer file, and not in a file of the user.
  bool is_in_layer(const jit::SourceRange& at) const;

 private:
  struct Call;  // the call that is being compiled: compile_call.cpp

  /// Returns the submodule `module` as it is reached from the self of `function`.
  jit::SugaredValuePtr module_sugar(const Object& module, const jit::SourceRange& at,
                                    jit::GraphFunction& function);
  /// Refuses a tuple with a module that is not registered in the model.
  void refuse_lost_modules(const Tuple& tuple, const jit::SourceRange& at,
                           jit::GraphFunction& function);
  /// Returns the sugared value of a method that is bound to a module, as `self.f` that __init__
  /// stored.
  jit::SugaredValuePtr method_sugar(const BoundMethod& method, const jit::SourceRange& at,
                                    jit::GraphFunction& function);
  /// Returns the TorchScript module of an object and creates it on first use.
  jit::Module module_of(const std::shared_ptr<Object>& object);
  /// Returns the class of an object and creates it on first use; objects with equal keys share it.
  ModuleClass* class_for(const std::shared_ptr<Object>& object);
  /// Returns a text that is equal for objects that can share a ModuleClass.
  std::string key_of(const Object& object);
  /// Stores the tensors, submodules and changeable attributes of an object in its TorchScript
  /// module.
  void add_slots(jit::Module& module, const Object& object);
  /// Stores the attributes that must be state of the module. An attribute that TorchScript cannot
  /// represent is left out, and only its use is refused.
  void add_attributes(jit::Module& module, const Object& object);
  /// Returns whether an attribute is stored in the module; other attributes are compiled as
  /// constants.
  bool is_slot(const Object& object, const std::string& name, const Value& value) const;
  /// Returns the type of an annotated `self.name: T = …` in a method; null if there is none.
  c10::TypePtr declared_type(const Object& object, const std::string& name) const;

  /// Compiles forward of the root. Refuses a forward that returns nothing or may return None.
  void compile_forward(ModuleClass& type);
  /// Returns the parameters of the root's forward with the types of their annotations, else of
  /// their defaults, else Tensor.
  std::vector<LoweredParameter> parameters_of_forward(const Function& forward, Names& names,
                                                      const Statics& statics);
  /// Compiles a function and repeats with a better type for a variable that is None at first.
  jit::Function* define(const Function& function, const std::string& name, ModuleClass* self,
                        const std::vector<LoweredParameter>& parameters, Statics& statics,
                        const std::shared_ptr<Names>& names);
  /// Lowers and compiles a function in one try. Throws the errors of TorchScript as they are.
  jit::Function* define_once(const Function& function, const std::string& name, ModuleClass* self,
                             const std::vector<LoweredParameter>& parameters, Statics& statics,
                             const std::shared_ptr<Names>& names);
  /// Returns the function with the modules of its closure among its captured variables; the
  /// function itself if it reads none.
  std::shared_ptr<Function> with_modules(const std::shared_ptr<Function>& callee);
  /// Returns the function compiled for the types and constants of a call; compiles it on first use.
  jit::Function* specialise(Call& call);
  /// Compiles a static method of a torch.autograd.Function for values of a graph. `call` gets the
  /// parameters.
  jit::Function* compile_static(const Class& type, const std::string& name, Call& call);
  /// Returns the text of a file for TorchScript; one object per file, by which place() finds the
  /// file again.
  std::shared_ptr<jit::Source> source_of(const FileValues& file);
  /// Returns the TorchScript name of a class or function: "__torch__.gpt.Block". A null `file`
  /// stands for built-in ones.
  std::string qualified_name(const FileValues* file, const std::string& name) const;
  /// Returns a lookup in the enclosing scopes of a function and in its file. The function must
  /// outlive the result.
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
  std::vector<Submodules> submodules_;  // of the functions being compiled, the innermost last
  /// Compiled functions by the key of their call; the compilation unit owns them.
  std::map<std::string, jit::Function*> functions_;
  /// Keys of the calls whose callees are being compiled; a second entry would be recursion.
  std::set<std::string> open_;
  std::map<const Function*, std::shared_ptr<Function>> closures_;  // by with_modules()
  SharedValues shared_;
  std::set<const c10::Type*> contexts_;                   // classes that apply() made
  std::vector<Value> passed_;                             // registered by pass()
  std::map<std::string, jit::Function*> flat_functions_;  // by item type
  std::size_t text_functions_ = 0;  // number of functions that function_of_text() has made
  std::map<std::string, c10::TupleTypePtr> named_tuples_;  // by class and types
  std::shared_ptr<Function> sequential_;                   // the forward of nn.Sequential
  /// Resolvers of all functions, which live until everything is compiled.
  std::vector<std::shared_ptr<Names>> names_;
  /// Objects whose addresses are parts of keys; they are kept so that no other object gets the
  /// address.
  std::vector<std::shared_ptr<Object>> kept_;
};

/// Resolves the free names and the types of one function for the emitter, and creates the names
/// that the lowered tree refers to.
class Names : public jit::Resolver, public References {
 public:
  Names(Compiler& compiler, const Function& function, ModuleClass* self)
      : compiler_(compiler), function_(function), self_(self) {}

  std::string refer(const Value& value) override;
  std::optional<std::string> refer_type(const syntax::Expression& annotation,
                                        const Statics& statics, bool must_know) override;
  bool can_refer(const Value& value) const override;
  /// Returns the name of a type for a tree; each call makes a new name.
  std::string refer_type(const c10::TypePtr& type);
  std::string pass(const Value& value) override { return compiler_.pass(value); }
  std::string type_of_absent(const std::string& variable) override;

  /// Returns a copy of `module` that stands for the graph input `index` of the function, or for the
  /// submodule at `path` below that input. Methods of the copy are reached through the input
  /// instead of self.
  std::shared_ptr<Object> given(std::size_t index, const Object& module,
                                std::vector<std::string> path = {});
  /// Returns an object that stands for the graph input `index` of the function, the context of a
  /// torch.autograd.Function.
  std::shared_ptr<Object> given_context(std::size_t index);

  /// Reads from an error of the emitter the type of a variable that is None at first. Returns true
  /// if the type is new, so that another try may succeed; false if the error is about something
  /// else or the type is known already. The message is that of LibTorch, which gives the types in
  /// no other way.
  bool learn_type(const std::string& error);

  /// Reads from an error of the emitter that the annotation of the result is wrong, which Python
  /// does not notice. Returns true at the first time: another try, without it, may succeed.
  bool doubt_returns(const std::string& error);
  bool believes_returns() const override { return believes_returns_; }

  /// Called by the emitter: returns what refer() named; null for any other name.
  jit::SugaredValuePtr resolveValue(const std::string& name, jit::GraphFunction& function,
                                    const jit::SourceRange& at) override;
  /// Called by the emitter: returns the type that refer_type() named; null for any other name.
  c10::TypePtr resolveType(const std::string& name, const jit::SourceRange& at) override;

 private:
  Compiler& compiler_;
  const Function& function_;
  ModuleClass* self_;
  std::vector<Value> values_;
  std::vector<c10::TypePtr> types_;
  bool believes_returns_ = true;
  std::map<std::string, c10::TypePtr> absent_;  // types of variables that are None at first
  /// A module that is given to the function as an argument, or a submodule of it. `index` counts
  /// the inputs of the graph; `path` holds the attribute names below that input.
  struct Input {
    std::size_t index;
    std::vector<std::string> path;
    std::shared_ptr<Object> object;
  };
  std::map<const Object*, Input> inputs_;  // by the copies that given() makes
};

/// Binds a function's `**kwargs` to an empty dict, because the caller cannot pass unnamed inputs.
/// Does nothing for a function without `**kwargs`.
void bind_no_keywords(const Function& function, Statics& statics);

/// Refuses graphs in which a Tensor is converted to a number implicitly, the model chooses a
/// device, a function is passed to an operator, or an operator is called that permission.h refuses.
/// Checks every function that was compiled, and gives a place to nodes that LibTorch made without
/// one. Throws syntax::Refusal at the user's line.
void check_graphs(const Compiler& compiler);

/// Throws syntax::Refusal with an error of TorchScript's compiler in plain words at the user's
/// line; knead::Error if none of its frames is in `sources`. `text` is the whole message of
/// jit::ErrorReport or c10::Error.
[[noreturn]] void throw_compile_error(const std::string& text, const Sources& sources);

}  // namespace knead::engine::model
