#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/engine/model/lower/facts.h"
#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// What is known of the expressions of a function when it is compiled: the configuration that
/// __init__ left in a module, the constants of the file, the items of a container that a loop goes
/// over. A method is compiled for one such state, so `if self.bias is not None` is decided here, as
/// Python would decide it, and what is not run is not compiled.
class Statics {
 public:
  /// `self` is null in a function that is no method.
  /// `python` computes; it must live as long.
  Statics(const Function& function, std::shared_ptr<Object> self, const Changes& changes,
          Evaluator& python);

  /// The value of an expression; nothing where only running the model tells.
  std::optional<Value> value(const syntax::Expression& expression) const;

  /// What `a += b` leaves in a name; nothing where only running the model tells.
  std::optional<Value> updated(const syntax::AugmentedAssign& assign) const;

  /// Whether a condition holds; nothing where only running the model tells.
  std::optional<bool> truth(const syntax::Expression& expression) const;

  /// The items that iterating over a known value gives: of a tuple, a range, a container of
  /// modules. Nothing for what can change while the model runs.
  std::optional<Values> items(const Value& value) const;

  /// Whether the name is a parameter or assigned in the function; else it is one of the file's.
  bool is_local(const std::string& name) const;

  /// How often a local name is assigned; a parameter once by its call.
  int times_assigned(const std::string& name) const;

  /// The value of a name that is not local: of an enclosing function or of the file. Null if there
  /// is none.
  const Value* find_outer(const std::string& name) const;

  /// Says that a local name has this value from here on; nothing: that it is not known any more.
  void bind(const std::string& name, std::optional<Value> value);

  /// Says that a condition holds, or does not, where the statement that it stands in is compiled
  /// for each of the two; nothing: that it is open again.
  void assume(const syntax::Expression& condition, std::optional<bool> holds);

  /// Between these, the name is one of a comprehension, whatever it is outside.
  void hide(const std::string& name);
  void unhide(const std::string& name);

  /// The bindings, to go back to at the end of a block that may not run.
  using Bindings = std::map<std::string, Value>;
  const Bindings& bindings() const { return bound_; }
  void restore(Bindings bindings) { bound_ = std::move(bindings); }

  const std::shared_ptr<Object>& self() const { return self_; }
  const Function& function() const { return function_; }

 private:
  std::optional<bool> truth_of(const Value& value) const;
  std::optional<Value> name(const std::string& id) const;
  std::optional<Value> attribute(const Value& of, const std::string& name) const;
  std::optional<Value> object_attribute(const Object& object, const std::string& name) const;
  std::optional<Value> call(const syntax::Call& call) const;
  std::optional<Value> about_object(const std::string& name,
                                    const syntax::Expressions& arguments) const;
  std::optional<Value> builtin(const std::string& name, const Values& arguments) const;
  std::optional<Value> container_method(const Object& object, const std::string& name) const;
  std::optional<Value> subscript(const syntax::Subscript& subscript) const;
  std::optional<Value> container_item(const Object& object, const Value& index) const;
  std::optional<Value> sliced(const Value& of, const syntax::Slice& slice) const;
  std::optional<Value> comparison(const syntax::Comparison& comparison) const;
  std::optional<bool> compare(syntax::ComparisonOperator op, const Value& left,
                              const Value& right) const;
  std::optional<Value> logical(const syntax::Logical& logical) const;
  std::optional<Value> binary(const syntax::Binary& binary) const;
  std::optional<Value> unary(const syntax::Unary& unary) const;
  std::optional<Value> literal(const syntax::Expression& expression) const;
  std::optional<Value> formatted(const syntax::FString& text) const;
  std::optional<Values> values(const syntax::Expressions& expressions) const;

  const Function& function_;
  Evaluator& python_;
  std::shared_ptr<Object> self_;
  const Changes& changes_;
  Facts facts_;
  Bindings bound_;
  std::map<const syntax::Expression*, bool> assumed_;
  std::map<std::string, std::vector<std::optional<Value>>> hidden_;  // with what they hid
};

}  // namespace knead::engine::model
