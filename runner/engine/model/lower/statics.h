#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/engine/model/lower/facts.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Returns whether a dict has values of several types and is therefore a configuration, whose
/// values are constants of the code. TorchScript cannot represent such a dict, so no method can
/// change it.
bool are_settings(const Dict& dict);

/// Returns whether a value can be computed with at compile time: not a tensor, whose numbers are
/// known only while the model runs, and not a list, which may change.
bool is_plain(const Value& value);

/// Evaluates expressions of a function at compile time, from what is known then: the configuration
/// that __init__ left in a module, the constants of the file, and the items of a container in a
/// loop. A method is compiled for one such state, so `if self.bias is not None` is decided here as
/// Python decides it, and the other branch is not compiled.
///
/// The lowering walks the statements in source order and reports every assignment with bind().
/// Around a block that may not run it saves bindings() and restores them. A value counts as known
/// only if no method can change it: the elements of tensors and lists are never known. A copy is an
/// independent state.
class Statics {
 public:
  /// `self` is null for a function that is not a method. `function`, `changes` and `python` (used
  /// for Python's arithmetic) must outlive this object and its copies.
  Statics(const Function& function, std::shared_ptr<Object> self, const Changes& changes,
          Evaluator& python);

  /// Returns the value of an expression; std::nullopt if it is known only while the model runs. An
  /// expression for which Python would raise an error has no value either, so that the compiled
  /// code reports the error at its place.
  std::optional<Value> value(const syntax::Expression& expression) const;

  /// Counts an expression that becomes code; returns false when a model has too many. A loop over
  /// modules counts its body for each of them.
  bool has_room_for_code() const;

  /// Returns the value of a name after `a += b`; std::nullopt if it is known only while the model
  /// runs. Does not bind it.
  std::optional<Value> updated(const syntax::AugmentedAssign& assign) const;

  /// Returns whether a condition holds, also by assume(); std::nullopt if this is known only while
  /// the model runs. A module without __len__ and __bool__ is true; a container is true if it is
  /// not empty.
  std::optional<bool> truth(const syntax::Expression& expression) const;

  /// Returns the items of a known tuple, range or container of modules; for a ModuleDict its keys,
  /// for a module that is registered as None the value None. Returns std::nullopt for values that
  /// can change while the model runs, for a ParameterList, and for a range of more than 4096 items,
  /// which stays a loop.
  std::optional<Values> items(const Value& value) const;

  /// Returns whether a name is local: a parameter, a name that the function assigns, or a name
  /// hidden by hide().
  bool is_local(const std::string& name) const;

  /// Returns how often the function assigns a name; a parameter counts once for the call.
  int times_assigned(const std::string& name) const;

  /// Looks up a name in the enclosing functions and the file; returns null if it is not defined
  /// there, as for a built-in name. The scope owns the result. Does not consider local names, so
  /// ask is_local() first.
  const Value* find_outer(const std::string& name) const;

  /// Sets the known value of a local name from here on; std::nullopt makes it unknown.
  void bind(const std::string& name, std::optional<Value> value);

  /// Sets the truth value of a condition while its statement is compiled once for each value;
  /// std::nullopt removes the assumption. The condition is identified by its address.
  void assume(const syntax::Expression& condition, std::optional<bool> holds);

  /// Begin and end the scope of a comprehension variable that shadows a name. Inside, the name is
  /// local and unknown until bind(). unhide() restores the value that the name had at hide(). Calls
  /// may nest and must be paired.
  void hide(const std::string& name);
  void unhide(const std::string& name);

  /// The known values of local names; saved before a block that may not run and restored after it.
  using Bindings = std::map<std::string, Value>;
  const Bindings& bindings() const { return bound_; }
  void restore(Bindings bindings) { bound_ = std::move(bindings); }

  /// Returns the module whose method is compiled; null for a function that is not a method.
  const std::shared_ptr<Object>& self() const { return self_; }
  const Function& function() const { return function_; }

 private:
  /// Returns the result of a computation; std::nullopt if Python would raise an error. The compiled
  /// code then reports the error at its place.
  template <class Computation>
  static std::optional<Value> attempt(const Computation& computation) {
    try {
      return computation();
    } catch (const Mistake&) {
      return std::nullopt;
    }
  }
  /// Returns bool(value) if no method can change it; std::nullopt for tensors and lists, and for
  /// objects whose class defines the truth value.
  std::optional<bool> truth_of(const Value& value) const;
  /// Returns the bound value of a local name, or the value of a name of the file.
  std::optional<Value> name(const std::string& id) const;
  /// Returns an attribute of an object, a module of an import or a class. Methods of source have no
  /// value here: calls of them are compiled.
  std::optional<Value> attribute(const Value& of, const std::string& name) const;
  /// Returns an attribute of a module or configuration; std::nullopt if methods may change it.
  std::optional<Value> object_attribute(const Object& object, const std::string& name) const;
  /// Returns whether a module or configuration has an attribute, which methods may change.
  bool has_attribute(const Object& object, const std::string& name) const;
  /// Returns the result of a built-in function or of a container method with known arguments; calls
  /// of source functions are compiled and have no value.
  std::optional<Value> call(const syntax::Call& call) const;
  /// Evaluates a function about a pattern of einops; throws syntax::Refusal for a wrong pattern.
  std::optional<Value> about_pattern(const Value& callee, const syntax::Call& call) const;
  /// Returns the number that a function of NumPy gives for known numbers; std::nullopt for others.
  std::optional<Value> library_call(const Value& callee,
                                    const syntax::Expressions& arguments) const;
  /// Evaluates isinstance, hasattr, getattr and callable of a known object.
  std::optional<Value> about_object(const std::string& name,
                                    const syntax::Expressions& arguments) const;
  /// Evaluates range, zip, len, enumerate, reversed, list and tuple.
  std::optional<Value> builtin(const std::string& name, const Values& arguments) const;
  /// Evaluates keys(), values(), items(), children() and named_children(). The last two leave out
  /// modules that are registered as None, as in PyTorch.
  std::optional<Value> container_method(const Object& object, const std::string& name) const;
  /// Evaluates keys(), values(), items() and get() of a configuration from the recipe.
  std::optional<Value> settings_method(const Value& settings, const std::string& name,
                                       const syntax::Expressions& arguments) const;
  std::optional<Value> subscript(const syntax::Subscript& subscript) const;
  /// Returns a module of a container by index or key, None for one that is registered as None;
  /// std::nullopt for an item that does not exist, which the lowering refuses.
  std::optional<Value> container_item(const Object& object, const Value& index) const;
  /// Returns a slice of a tuple, or of the items of a container of modules, as a tuple.
  std::optional<Value> sliced(const Value& of, const syntax::Slice& slice) const;
  /// Returns the bool of a comparison chain; stops at the first comparison that does not hold.
  std::optional<Value> comparison(const syntax::Comparison& comparison) const;
  /// Compares plain values and members of an Enum; by `is` also two classes, and anything with
  /// None. Everything else is unknown, because a method may replace a tensor or a list by another
  /// one.
  std::optional<bool> compare(syntax::ComparisonOperator op, const Value& left,
                              const Value& right) const;
  /// Returns the operand that decides `and` or `or`, as Python does.
  std::optional<Value> logical(const syntax::Logical& logical) const;
  std::optional<Value> binary(const syntax::Binary& binary) const;
  std::optional<Value> unary(const syntax::Unary& unary) const;
  /// Evaluates literals, f-strings and tuples.
  std::optional<Value> literal(const syntax::Expression& expression) const;
  std::optional<Value> formatted(const syntax::FString& text) const;
  /// Returns the values of all expressions; std::nullopt if one is unknown.
  std::optional<Values> values(const syntax::Expressions& expressions) const;

  const Function& function_;
  Evaluator& python_;
  std::shared_ptr<Object> self_;
  const Changes& changes_;
  Facts facts_;
  Bindings bound_;
  /// Assumed truth values, by the address of the condition.
  std::map<const syntax::Expression*, bool> assumed_;
  /// Values of the names that hide() shadows, the innermost last; std::nullopt for an unknown one.
  std::map<std::string, std::vector<std::optional<Value>>> hidden_;
};

}  // namespace knead::engine::model
