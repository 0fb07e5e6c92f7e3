#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <c10/util/Exception.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/program.h"
#include "runner/engine/model/values/value.h"
#include "runner/engine/model/values/values.h"
#include "runner/syntax/refusal.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// Limits the work of building a model.
struct Limits {
  std::int64_t steps = 50'000'000;  // expressions evaluated and items made
  std::size_t calls = 1000;         // nested calls
  std::size_t stack = 4 << 20;      // bytes of the thread's stack
};

/// Evaluates Python source with the semantics of Python on the types of value.h. Not thread-safe.
/// Classes and functions refer to each other, and their memory is not freed before the process
/// ends.
class Evaluator {
 public:
  /// `program` receives the files that run and must outlive the evaluator; `folder` is searched for
  /// imported files.
  Evaluator(Program& program, std::filesystem::path folder, Limits limits = {});
  ~Evaluator();

  /// Runs a file once as the module `module`. Throws syntax::Refusal at the user's line.
  FileValues& run(std::shared_ptr<const syntax::File> file, const std::string& module,
                  std::shared_ptr<Scope> globals = std::make_shared<Scope>());

  /// Constructs an object of a class of the file with the arguments of a recipe. Throws
  /// schema::InvalidRecipe if they do not fit.
  std::shared_ptr<Object> build(const FileValues& file, const std::shared_ptr<Class>& type,
                                const schema::Node& args);

  /// Calls a function of the file with the arguments of a recipe and returns the module that it
  /// makes. Throws syntax::Refusal if the result is not an nn.Module.
  std::shared_ptr<Object> build(const FileValues& file, const std::shared_ptr<Function>& function,
                                const schema::Node& args);

  // --- operations for the built-in functions; all throw Mistake unless stated otherwise ---

  /// Calls a function, a class, a method or an object with __call__.
  Value call(const Value& callee, const Arguments& arguments, syntax::Range at = {});
  /// Returns an attribute; throws Mistake with a remedy if there is none.
  Value attribute(const Value& of, const std::string& name);
  /// Returns an attribute; std::nullopt if the value has no attribute of this name.
  std::optional<Value> find_attribute(const Value& of, const std::string& name);
  void set_attribute(const Value& of, const std::string& name, Value value);
  void delete_attribute(const Value& of, const std::string& name);

  /// Calls a method of the value's class; returns std::nullopt if the value is not an object or its
  /// class has no such method.
  std::optional<Value> call_method(const Value& of, const std::string& name, Values arguments = {});

  /// Iterate over a value. Iterating over a set with several items throws Mistake unless
  /// `any_order` is given, because its order is not defined.
  std::shared_ptr<Iterator> iterate(const Value& value, bool any_order = false);
  Values items(const Value& value, bool any_order = false);
  /// Returns bool(value).
  bool truth(const Value& value);
  /// Returns `a == b` as a bool; throws c10::Error for tensors of several items.
  bool equal(const Value& a, const Value& b);
  bool contains(const Value& container, const Value& item);
  std::string text(const Value& value);  // str()
  std::string repr(const Value& value);  // repr()
  std::size_t length(const Value& value);
  /// Read, write and delete `of[index]`.
  Value item(const Value& of, const Value& index);
  void set_item(const Value& of, const Value& index, Value value);
  void delete_item(const Value& of, const Value& index);
  /// Computes `left op right`, including the operator methods of objects.
  Value binary(syntax::BinaryOperator op, const Value& left, const Value& right);

  /// Returns the value of a key; null if the dict does not have the key. Throws Mistake for keys
  /// that are not hashable.
  Value* find_key(Dict& dict, const Value& key);
  void set_key(Dict& dict, const Value& key, Value value);
  /// Returns whether the item is new.
  bool add_to(Set& set, const Value& item);

  /// Returns the class of a value, as type(value) does.
  std::shared_ptr<Class> type_of(const Value& value);
  std::shared_ptr<Class> type(const std::string& name) const;  // built-in: "int", "Module"
  /// Implements isinstance(); `type` may be a class, a tuple or a name of typing.
  bool is_instance(const Value& value, const Value& type);

  /// Returns a module by its import name; null if no module has this name. Loads the layer files at
  /// the first import of torch.
  std::shared_ptr<Namespace> module(const std::string& name);
  void add_module(const std::string& name, std::shared_ptr<Namespace> names);
  void add_type(std::shared_ptr<Class> type);
  void add_global(const std::string& name, Value value) { builtins_->set(name, std::move(value)); }
  const Value& global(const std::string& name) const { return *builtins_->find(name); }

  /// nn.Parameter is not a type of LibTorch, so the evaluator records which tensors are parameters.
  bool is_parameter(const at::Tensor& tensor) const;
  /// Returns a parameter that shares the storage of `tensor`. Throws Mistake for a dtype without
  /// gradients.
  at::Tensor make_parameter(const at::Tensor& tensor, bool requires_grad);

  /// Makes an object of a class: calls its __init__, or the constructor of a built-in class.
  Value construct(const std::shared_ptr<Class>& type, const Arguments& arguments, syntax::Range at);

  /// Counts steps and throws Mistake above the limit. Each item counts as four steps, because it
  /// takes memory.
  void spend(std::int64_t steps);
  void spend_items(std::int64_t items) { spend(items * 4); }

  /// Throws syntax::Refusal at the user's line that led to `range`; the calls in layer files are
  /// listed below it.
  [[noreturn]] void fail(syntax::Range range, const std::string& message,
                         const std::string& remedy = "") const;

  /// Calls `function` and converts Mistake and errors of LibTorch to a Refusal at `range`.
  template <typename Function>
  auto at_place(syntax::Range range, Function&& function) {
    try {
      return function();
    } catch (const Mistake& mistake) {
      fail(range, mistake.what(), mistake.remedy());
    } catch (const c10::Error& error) {
      fail(range, words_of(error));
    }
  }

  /// Returns the value of an expression in the innermost frame.
  Value evaluate(const syntax::Expression& expression);

 private:
  friend struct ExpressionVisitor;
  friend struct StatementVisitor;
  friend struct Call;

  /// A call, a class body or a file that is being run.
  struct Frame {
    const FileValues* file = nullptr;
    std::shared_ptr<Scope> scope;        // of a comprehension; otherwise equals `names`
    std::shared_ptr<Scope> names;        // of the call, the class body or the file
    const Function* function = nullptr;  // null for a file or a class body
    bool is_class = false;
    syntax::Range at = {};  // the call that this frame makes now
    Value result = None{};
  };
  /// States how a block continues after a statement.
  enum class Flow { next, break_, continue_, return_ };

  Flow execute(const syntax::Body& body);
  Flow execute(const syntax::Statement& statement);
  void assign(const syntax::Expression& target, const Value& value);
  void unpack(const syntax::Expressions& targets, const Value& value);
  void unassign(const syntax::Expression& target);
  void import(const syntax::Import& import, const syntax::Statement& statement);
  std::shared_ptr<Namespace> imported(const std::string& name, int level, syntax::Range range);
  /// Returns the full name of a relative import.
  std::string from_here(const std::string& name, int level, syntax::Range range) const;
  /// Imports a file beside the model; returns null if there is no such file or folder.
  std::shared_ptr<Namespace> sibling(const std::string& name, syntax::Range range);
  void import_name(const syntax::Import& import, const syntax::ImportedName& name,
                   const syntax::Statement& statement);
  void bind_import(const std::string& name, Value value);
  bool is_ours(const Namespace& names) const;
  Value define_function(const syntax::Function& definition);
  Value define_class(const syntax::Class& definition);
  Value decorate(const syntax::Expression& decorator, const Value& value);
  Values fallbacks(const std::vector<syntax::Parameter>& parameters);
  Value name(const std::string& id);
  /// Returns the value; throws Mistake if it is a module that is not available to models.
  const Value& available(const Value& value) const;
  /// Returns the closure scope of a function that is defined here.
  std::shared_ptr<Scope> enclosing() const;
  Value comprehension(const syntax::Comprehension& comprehension);
  Value generator(const syntax::Comprehension& comprehension, std::shared_ptr<Iterator> first);
  /// Moves a comprehension to its next element; returns false at the end.
  bool advance(const syntax::Comprehension& comprehension,
               std::vector<std::shared_ptr<Iterator>>& iterators);
  std::string format(const syntax::Replacement& replacement);
  std::string format(const std::vector<std::variant<std::string, syntax::Replacement>>& parts);

  Arguments arguments(const syntax::Call& call);
  Value call_function(const std::shared_ptr<Function>& function, const Arguments& arguments);
  /// Binds arguments to parameters by Python's rules.
  void bind(const Function& function, const Arguments& arguments, Scope& scope);
  Value super_of_frame(syntax::Range at);
  /// Counts a step and refuses recursion that is too deep.
  void enter(syntax::Range range);
  /// Returns whether a function assigns a name, which makes the name local in it.
  bool assigns(const Function& function, const std::string& name);
  /// Returns the places of all open calls, outermost first.
  std::vector<schema::Place> chain(syntax::Range range) const;

  Program& program_;
  std::filesystem::path folder_;
  Limits limits_;
  std::int64_t steps_ = 0;
  const char* stack_ = nullptr;
  bool layers_loaded_ = false;
  std::vector<Frame> frames_;
  std::shared_ptr<Scope> builtins_;
  std::map<std::string, std::shared_ptr<Class>> types_;
  std::map<std::string, std::shared_ptr<Namespace>> modules_;
  /// Names that a function assigns, by its definition.
  std::map<const void*, std::unordered_set<std::string>> assigned_;
  std::vector<at::Tensor> parameters_;  // keeps the addresses below from being used again
  std::unordered_set<const void*> is_parameter_;
};

}  // namespace knead::engine::model
