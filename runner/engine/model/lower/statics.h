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

/// Evaluates expressions of a function at compile time, from what is known then: the configuration
/// that __init__ left in a module, the constants of the file, and the items of a container in a
/// loop. A method is compiled for one such state, so `if self.bias is not None` is decided here as
/// Python decides it, and the other branch is not compiled.
class Statics {
 public:
  /// `self` is null for a function that is not a method. `changes` and `python` (used for Python's
  /// arithmetic) must outlive this object.
  Statics(const Function& function, std::shared_ptr<Object> self, const Changes& changes,
          Evaluator& python);

  /// Returns the value of an expression; std::nullopt if it is known only while the model runs.
  std::optional<Value> value(const syntax::Expression& expression) const;

  /// Returns the value of a name after `a += b`; std::nullopt if it is known only while the model
  /// runs.
  std::optional<Value> updated(const syntax::AugmentedAssign& assign) const;

  /// Returns whether a condition holds; std::nullopt if this is known only while the model runs.
  std::optional<bool> truth(const syntax::Expression& expression) const;

  /// Returns the items of a known tuple, range or container of modules; std::nullopt for values
  /// that can change while the model runs and for a range of more than 4096 items.
  std::optional<Values> items(const Value& value) const;

  /// Returns whether a name is local: a parameter, a name that the function assigns, or a name
  /// hidden by hide().
  bool is_local(const std::string& name) const;

  /// Returns how often the function assigns a name; a parameter counts once for the call.
  int times_assigned(const std::string& name) const;

  /// Looks up a name in the enclosing functions and the file; returns null if it is not defined
  /// there.
  const Value* find_outer(const std::string& name) const;

  /// Sets the known value of a local name from here on; std::nullopt makes it unknown.
  void bind(const std::string& name, std::optional<Value> value);

  /// Sets the truth value of a condition while its statement is compiled once for each value;
  /// std::nullopt removes the assumption.
  void assume(const syntax::Expression& condition, std::optional<bool> holds);

  /// Begin and end the scope of a comprehension variable that shadows a name. Calls may nest.
  void hide(const std::string& name);
  void unhide(const std::string& name);

  /// The known values of local names; saved before a block that may not run and restored after it.
  using Bindings = std::map<std::string, Value>;
  const Bindings& bindings() const { return bound_; }
  void restore(Bindings bindings) { bound_ = std::move(bindings); }

  const std::shared_ptr<Object>& self() const { return self_; }
  const Function& function() const { return function_; }

 private:
  std::optional<bool> truth_of(const Value& value) const;
  std::optional<Value> name(const std::string& id) const;
  std::optional<Value> attribute(const Value& of, const std::string& name) const;
  /// Returns an attribute of a module or configuration; std::nullopt if methods may change it.
  std::optional<Value> object_attribute(const Object& object, const std::string& name) const;
  /// Returns whether a module or configuration has an attribute, which methods may change.
  bool has_attribute(const Object& object, const std::string& name) const;
  std::optional<Value> call(const syntax::Call& call) const;
  /// Evaluates isinstance, hasattr, getattr and callable of a known object.
  std::optional<Value> about_object(const std::string& name,
                                    const syntax::Expressions& arguments) const;
  /// Evaluates range, zip, len, enumerate, reversed, list and tuple.
  std::optional<Value> builtin(const std::string& name, const Values& arguments) const;
  /// Evaluates keys(), values(), items(), children() and named_children().
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
  /// Assumed truth values, by the address of the condition.
  std::map<const syntax::Expression*, bool> assumed_;
  std::map<std::string, std::vector<std::optional<Value>>> hidden_;  // shadowed values
};

}  // namespace knead::engine::model
