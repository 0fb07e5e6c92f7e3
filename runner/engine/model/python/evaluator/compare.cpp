#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/values/stack.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {

namespace {

using syntax::ComparisonOperator;

/// Returns the operator as source text.
std::string_view comparison_sign(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::less: return "<";
    case ComparisonOperator::less_equal: return "<=";
    case ComparisonOperator::greater: return ">";
    case ComparisonOperator::greater_equal: return ">=";
    default: return "==";
  }
}

/// Returns the LibTorch operator, which is also the name of the Python method without underscores.
std::string tensor_name(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::equal: return "eq";
    case ComparisonOperator::not_equal: return "ne";
    case ComparisonOperator::less: return "lt";
    case ComparisonOperator::less_equal: return "le";
    case ComparisonOperator::greater: return "gt";
    default: return "ge";
  }
}

/// Returns the operator with its sides exchanged.
ComparisonOperator mirrored(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::less: return ComparisonOperator::greater;
    case ComparisonOperator::less_equal: return ComparisonOperator::greater_equal;
    case ComparisonOperator::greater: return ComparisonOperator::less;
    case ComparisonOperator::greater_equal: return ComparisonOperator::less_equal;
    default: return op;
  }
}

/// Returns the numbers of a version: 2, 11 and 0 of "2.11.0".
std::vector<int> numbers_in(const std::string& version) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at < version.size();) {
    int number = 0;
    const auto end = std::from_chars(version.data() + at, version.data() + version.size(), number);
    if (end.ec != std::errc()) break;
    numbers.push_back(number);
    at = static_cast<std::size_t>(end.ptr - version.data()) + 1;
  }
  return numbers;
}

/// Compares two values of one type that has an order.
template <typename T>
bool ordered(ComparisonOperator op, const T& a, const T& b) {
  switch (op) {
    case ComparisonOperator::less: return a < b;
    case ComparisonOperator::less_equal: return a <= b;
    case ComparisonOperator::greater: return a > b;
    default: return a >= b;
  }
}

/// Returns whether two texts are equal; std::nullopt if one of the values is none.
std::optional<bool> equal_texts(const Value& a, const Value& b) {
  const auto* left = std::get_if<std::string>(&a);
  const auto* right = std::get_if<std::string>(&b);
  if (!left || !right) return std::nullopt;
  if (left->size() != right->size()) return false;
  count_parts(3 + static_cast<std::int64_t>(left->size() / 64));
  return *left == *right;
}

// A method __eq__ may change the lists.
bool equal_items(Evaluator& evaluator, const Values& a, const Values& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!evaluator.equal(a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

bool equal_dicts(Evaluator& evaluator, Dict& a, Dict& b) {
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const auto [key, value] = a.items[i];
    const Value* other = evaluator.find_key(b, key);
    if (other == nullptr || !evaluator.equal(value, *other)) return false;
  }
  return true;
}

bool equal_sets(Evaluator& evaluator, const Set& a, const Set& b) {
  if (a.items.size() != b.items.size()) return false;
  const Value other = std::make_shared<Set>(b);
  const Values items = a.items;  // a method __eq__ may change the set
  return std::all_of(items.begin(), items.end(),
                     [&](const Value& item) { return evaluator.contains(other, item); });
}

bool equal_records(Evaluator& evaluator, const std::shared_ptr<Object>& a,
                   const std::shared_ptr<Object>& b) {
  if (a->type != b->type) return false;
  return std::all_of(a->type->fields.begin(), a->type->fields.end(), [&](const Field& field) {
    evaluator.spend(1);
    return evaluator.equal(evaluator.attribute(a, field.name), evaluator.attribute(b, field.name));
  });
}

bool is_record_tuple(const Value& value) {
  const auto* object = as<Object>(value);
  return object && is_named_tuple(*(*object)->type);
}

/// Compares a NamedTuple with any value: as in Python it is the tuple of its fields.
bool equal_record_tuples(Evaluator& evaluator, const Value& a, const Value& b) {
  const Value left = is_record_tuple(a) ? as_tuple(evaluator, a) : a;
  const Value right = is_record_tuple(b) ? as_tuple(evaluator, b) : b;
  if (!as<Tuple>(left) || !as<Tuple>(right)) return false;
  return equal_items(evaluator, *sequence(left), *sequence(right));
}

/// Compares lists or tuples by the first items that differ; returns std::nullopt for other types.
std::optional<bool> order_of_sequences(Evaluator& evaluator, ComparisonOperator op,
                                       const Value& left, const Value& right) {
  if (left.index() != right.index()) return std::nullopt;
  const Values* a = sequence(left);
  const Values* b = sequence(right);
  if (a == nullptr || b == nullptr) return std::nullopt;
  expect_stack();
  evaluator.spend(1);
  for (std::size_t i = 0; i < std::min(a->size(), b->size()); ++i) {
    const Value one = (*a)[i], other = (*b)[i];
    if (evaluator.equal(one, other)) continue;
    return evaluator.truth(comparison_operation(evaluator, op, one, other));
  }
  return ordered(op, a->size(), b->size());
}

/// Calls the comparison method of the left value, or the mirrored one of the right value.
std::optional<Value> by_method(Evaluator& evaluator, ComparisonOperator op, const Value& left,
                               const Value& right) {
  const auto method = [](ComparisonOperator one) { return "__" + tensor_name(one) + "__"; };
  if (auto result = evaluator.call_method(left, method(op), {right})) return result;
  return evaluator.call_method(right, method(mirrored(op)), {left});
}

Value order(Evaluator& evaluator, ComparisonOperator op, const Value& left, const Value& right) {
  if (is_integer(left) && is_integer(right)) {
    return ordered(op, integer_of(left), integer_of(right));
  }
  if (is_number(left) && is_number(right)) return ordered(op, float_of(left), float_of(right));
  if (is_text(left) && is_text(right)) {
    const auto& a = std::get<std::string>(left);
    const auto& b = std::get<std::string>(right);
    evaluator.spend(text_steps(left));
    // torch.__version__ is compared by its numbers: 2.11 comes after 2.2.
    if (a == kTorchVersion || b == kTorchVersion) return ordered(op, numbers_in(a), numbers_in(b));
    return ordered(op, a, b);
  }
  if (auto result = order_of_sequences(evaluator, op, left, right)) return *result;
  if (auto result = by_method(evaluator, op, left, right)) return *result;
  throw Mistake(fmt::format("'{}' not supported between instances of '{}' and '{}'",
                            comparison_sign(op), type_name(left), type_name(right)));
}

}  // namespace

bool Evaluator::equal(const Value& a, const Value& b) {
  if (const auto same_texts = equal_texts(a, b)) return *same_texts;
  count_parts(std::holds_alternative<std::int64_t>(a) ? 3 : 6);
  if (is_integer(a) && is_integer(b)) return integer_of(a) == integer_of(b);
  if (is_number(a) && is_number(b)) return float_of(a) == float_of(b);
  const bool has_parts = sequence(a) || as<Dict>(a) || as<Set>(a) || as<Object>(a) || as<Range>(a);
  if (!has_parts) return equal_parts(a, b);
  // Values may nest, or share their parts, without end.
  expect_stack();
  spend(1);
  // A method __eq__ may take the values away from what holds them.
  return equal_parts(Value(a), Value(b));
}

bool Evaluator::equal_parts(const Value& a, const Value& b) {
  // Identity decides first, as in Python's containers: a tensor of several items has no truth
  // value.
  if (is_tensor(a) || is_tensor(b)) {
    return same(a, b) || truth(comparison_operation(*this, ComparisonOperator::equal, a, b));
  }
  if (same(a, b)) return true;
  if (auto result = call_method(a, "__eq__", {b})) return truth(*result);
  // np.float32 == array.dtype: the class has no method, so Python asks the other side.
  if (as<Class>(a) || is_text(a)) {
    if (auto result = call_method(b, "__eq__", {a})) return truth(*result);
  }
  if (is_record_tuple(a) || is_record_tuple(b)) return equal_record_tuples(*this, a, b);
  const bool are_sequences = sequence(a) && sequence(b);
  const bool may_differ = are_sequences && (passes_for_tuple(a) || passes_for_tuple(b));
  if (a.index() != b.index() && !may_differ) return false;
  if (const Values* items = sequence(a)) return equal_items(*this, *items, *sequence(b));
  if (const auto* dict = as<Dict>(a)) {
    return equal_dicts(*this, **dict, *std::get<std::shared_ptr<Dict>>(b));
  }
  if (const auto* set = as<Set>(a)) {
    return equal_sets(*this, **set, *std::get<std::shared_ptr<Set>>(b));
  }
  if (const auto* range = as<Range>(a)) return equal_items(*this, items(*range), items(b));
  const auto* object = as<Object>(a);
  return object != nullptr && (*object)->type->is_dataclass &&
         equal_records(*this, *object, std::get<std::shared_ptr<Object>>(b));
}

Value comparison_operation(Evaluator& evaluator, ComparisonOperator op, const Value& left,
                           const Value& right) {
  switch (op) {
    case ComparisonOperator::is: return same(left, right);
    case ComparisonOperator::is_not: return !same(left, right);
    case ComparisonOperator::in: return evaluator.contains(right, left);
    case ComparisonOperator::not_in: return !evaluator.contains(right, left);
    default: break;
  }
  const bool equality = op == ComparisonOperator::equal || op == ComparisonOperator::not_equal;
  const bool tensors = is_tensor(left) || is_tensor(right);
  const bool numeric =
      (is_tensor(left) || is_number(left)) && (is_tensor(right) || is_number(right));
  if (tensors && numeric) {
    // The operators of LibTorch take a number on the right side only, so the sides are exchanged.
    if (is_tensor(left)) return call_operator(tensor_name(op), {{left, right}, {}});
    return call_operator(tensor_name(mirrored(op)), {{right, left}, {}});
  }
  if (!tensors && (is_of_numpy(left) || is_of_numpy(right))) {
    if (auto result = by_method(evaluator, op, left, right)) return *result;
  }
  if (!equality) return order(evaluator, op, left, right);
  // A tensor never equals a value that is not a number.
  const bool equal = tensors ? false : evaluator.equal(left, right);
  return equal == (op == ComparisonOperator::equal);
}

bool less(Evaluator& evaluator, const Value& left, const Value& right) {
  return evaluator.truth(comparison_operation(evaluator, ComparisonOperator::less, left, right));
}

}  // namespace knead::engine::model
