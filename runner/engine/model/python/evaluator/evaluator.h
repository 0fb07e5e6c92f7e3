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

/// How much an __init__ may do before it is stopped.
struct Limits {
  std::int64_t steps = 50'000'000;  // expressions evaluated, items made
  std::size_t calls = 1000;         // within each other
  std::size_t stack = 4 << 20;      // bytes of the thread's stack
};

/// Runs source: Python's meaning, our values. One thread. Classes and functions refer to each
/// other, and what they hold is not given back before the process ends.
class Evaluator {
 public:
  Evaluator(Program& program, std::filesystem::path folder, Limits limits = {});
  ~Evaluator();

  /// Runs a file under a module's name, once. Sibling files are looked for in `folder`.
  FileValues& run(std::shared_ptr<const syntax::File> file, const std::string& module,
                  std::shared_ptr<Scope> globals = std::make_shared<Scope>());

  /// An object of one of the file's classes with the arguments of a recipe.
  std::shared_ptr<Object> build(const FileValues& file, const std::shared_ptr<Class>& type,
                                const schema::Node& args);

  /// The module that one of the file's functions gives.
  std::shared_ptr<Object> build(const FileValues& file, const std::shared_ptr<Function>& function,
                                const schema::Node& args);

  // --- what functions of ours need ---

  Value call(const Value& callee, const Arguments& arguments, syntax::Range at = {});
  Value attribute(const Value& of, const std::string& name);
  std::optional<Value> find_attribute(const Value& of, const std::string& name);
  void set_attribute(const Value& of, const std::string& name, Value value);
  void delete_attribute(const Value& of, const std::string& name);

  /// Calls a method that the value's class defines in source, if there is one.
  std::optional<Value> call_method(const Value& of, const std::string& name, Values arguments = {});

  /// A set is gone through only where the order does not matter: Python's is no promise.
  std::shared_ptr<Iterator> iterate(const Value& value, bool any_order = false);
  Values items(const Value& value, bool any_order = false);
  bool truth(const Value& value);
  bool equal(const Value& a, const Value& b);
  bool contains(const Value& container, const Value& item);
  std::string text(const Value& value);  // str()
  std::string repr(const Value& value);
  std::size_t length(const Value& value);
  Value item(const Value& of, const Value& index);
  void set_item(const Value& of, const Value& index, Value value);
  void delete_item(const Value& of, const Value& index);
  Value binary(syntax::BinaryOperator op, const Value& left, const Value& right);

  /// The value below a key, or where to put one. Mistake for keys that have no hash.
  Value* find_key(Dict& dict, const Value& key);
  void set_key(Dict& dict, const Value& key, Value value);
  bool add_to(Set& set, const Value& item);

  std::shared_ptr<Class> type_of(const Value& value);
  std::shared_ptr<Class> type(const std::string& name) const;  // of ours: "int", "Module"
  bool is_instance(const Value& value, const Value& type);

  /// A module by the name of an import. Nothing if there is none of that name.
  std::shared_ptr<Namespace> module(const std::string& name);
  void add_module(const std::string& name, std::shared_ptr<Namespace> names);
  void add_type(std::shared_ptr<Class> type);
  void add_global(const std::string& name, Value value) { builtins_->set(name, std::move(value)); }
  const Value& global(const std::string& name) const { return *builtins_->find(name); }

  /// nn.Parameter is no type of LibTorch's: which tensors are parameters is kept here.
  bool is_parameter(const at::Tensor& tensor) const;
  at::Tensor make_parameter(const at::Tensor& tensor, bool requires_grad);

  /// A new object of a class: its __init__, or what our own class does.
  Value construct(const std::shared_ptr<Class>& type, const Arguments& arguments, syntax::Range at);

  /// Counts against the limit. `items` that take memory count more than one step each.
  void spend(std::int64_t steps);
  void spend_items(std::int64_t items) { spend(items * 4); }

  /// A Refusal at the user's line.
  [[noreturn]] void fail(syntax::Range range, const std::string& message,
                         const std::string& remedy = "") const;

  /// Runs what throws Mistakes and errors of LibTorch's, and gives them the place `range`.
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

  Value evaluate(const syntax::Expression& expression);

 private:
  friend struct ExpressionVisitor;
  friend struct StatementVisitor;
  friend struct Call;

  struct Frame {
    const FileValues* file = nullptr;
    std::shared_ptr<Scope> scope;        // of a comprehension, or the same as `names`
    std::shared_ptr<Scope> names;        // of the call, the class body or the file
    const Function* function = nullptr;  // null: the file itself or a class body
    bool is_class = false;
    syntax::Range at = {};  // the call that is going on
    Value result = None{};
  };
  enum class Flow { next, break_, continue_, return_ };

  Flow execute(const syntax::Body& body);
  Flow execute(const syntax::Statement& statement);
  void assign(const syntax::Expression& target, const Value& value);
  void unpack(const syntax::Expressions& targets, const Value& value);
  void unassign(const syntax::Expression& target);
  void import(const syntax::Import& import, const syntax::Statement& statement);
  std::shared_ptr<Namespace> imported(const std::string& name, int level, syntax::Range range);
  std::string from_here(const std::string& name, int level, syntax::Range range) const;
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
  const Value& available(const Value& value) const;
  std::shared_ptr<Scope> enclosing() const;
  Value comprehension(const syntax::Comprehension& comprehension);
  Value generator(const syntax::Comprehension& comprehension, std::shared_ptr<Iterator> first);
  bool advance(const syntax::Comprehension& comprehension,
               std::vector<std::shared_ptr<Iterator>>& iterators);
  std::string format(const syntax::Replacement& replacement);
  std::string format(const std::vector<std::variant<std::string, syntax::Replacement>>& parts);

  Arguments arguments(const syntax::Call& call);
  Value call_function(const std::shared_ptr<Function>& function, const Arguments& arguments);
  void bind(const Function& function, const Arguments& arguments, Scope& scope);
  Value super_of_frame(syntax::Range at);
  void enter(syntax::Range range);
  bool assigns(const Function& function, const std::string& name);
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
  std::map<const void*, std::unordered_set<std::string>> assigned_;  // names, by definition
  std::vector<at::Tensor> parameters_;  // keeps the addresses below from being used again
  std::unordered_set<const void*> is_parameter_;
};

}  // namespace knead::engine::model
