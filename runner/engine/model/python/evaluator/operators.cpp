#include "runner/engine/model/python/evaluator/operators.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/python/evaluator/text.h"

namespace knead::engine::model {

namespace {

using syntax::BinaryOperator;
using syntax::ComparisonOperator;

/// The names of an operator: the Python method without underscores, and the LibTorch operator.
struct OperatorNames {
  std::string_view method;
  std::string_view torch;
};

OperatorNames binary_operator_names(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::add: return {"add", "add"};
    case BinaryOperator::subtract: return {"sub", "sub"};
    case BinaryOperator::multiply: return {"mul", "mul"};
    case BinaryOperator::matrix_multiply: return {"matmul", "matmul"};
    case BinaryOperator::divide: return {"truediv", "div"};
    case BinaryOperator::floor_divide: return {"floordiv", "floor_divide"};
    case BinaryOperator::modulo: return {"mod", "remainder"};
    case BinaryOperator::power: return {"pow", "pow"};
    case BinaryOperator::shift_left: return {"lshift", "bitwise_left_shift"};
    case BinaryOperator::shift_right: return {"rshift", "bitwise_right_shift"};
    case BinaryOperator::bit_and: return {"and", "bitwise_and"};
    case BinaryOperator::bit_or: return {"or", "bitwise_or"};
    case BinaryOperator::bit_xor: return {"xor", "bitwise_xor"};
  }
  return {};
}

/// Calls the operator method of the left object, or the reflected one of the right object.
std::optional<Value> object_operation(Evaluator& evaluator, BinaryOperator op, const Value& left,
                                      const Value& right) {
  const std::string name(binary_operator_names(op).method);
  if (auto result = evaluator.call_method(left, "__" + name + "__", {right})) return result;
  return evaluator.call_method(right, "__r" + name + "__", {left});
}

/// More steps than any limit, and few enough for a product of two.
constexpr std::int64_t kMostSteps = 1'000'000'000;

/// Returns `items * count`; the size is counted against the limit before memory is allocated.
template <typename Items>
Items repeated(Evaluator& evaluator, const Items& items, std::int64_t count) {
  Items result;
  if (count <= 0 || items.empty()) return result;
  const auto size = static_cast<std::int64_t>(items.size());
  std::int64_t total = 0;
  if (__builtin_mul_overflow(size, count, &total)) total = -1;
  // spend() refuses an overflow as a negative number; items count four steps in all, so three are
  // added after the first check.
  evaluator.spend(total < 0 ? -1 : total);
  evaluator.spend(total * 3);
  if constexpr (std::is_same_v<Items, Values>) {
    for (const Value& item : items) {
      if (const std::int64_t steps = text_steps(item)) {
        evaluator.spend(count > kMostSteps ? -1 : steps * count);
      }
    }
  }
  for (std::int64_t i = 0; i < count; ++i) result.insert(result.end(), items.begin(), items.end());
  return result;
}

std::optional<Value> repetition(Evaluator& evaluator, const Value& of, const Value& count) {
  if (!is_integer(count)) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&of)) {
    return repeated(evaluator, *text, integer_of(count));
  }
  const Values* items = sequence(of);
  if (items == nullptr) return std::nullopt;
  Values result = repeated(evaluator, *items, integer_of(count));
  return as<List>(of) ? make_list(std::move(result)) : make_tuple(std::move(result));
}

std::optional<Value> concatenation(Evaluator& evaluator, const Value& left, const Value& right) {
  const bool is_mixed = passes_for_tuple(left) != passes_for_tuple(right);
  if (left.index() != right.index() && !is_mixed) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&left); text && is_text(right)) {
    const std::string& other = std::get<std::string>(right);
    evaluator.spend(static_cast<std::int64_t>(text->size() + other.size()));
    return *text + other;
  }
  const Values* first = sequence(left);
  const Values* second = sequence(right);
  if (first == nullptr || second == nullptr) return std::nullopt;
  for (const Values* part : {first, second}) {
    for (const Value& item : *part) evaluator.spend_item(item);
  }
  Values items = *first;
  items.insert(items.end(), second->begin(), second->end());
  const bool is_list = as<List>(left) && as<List>(right);
  return is_list ? make_list(std::move(items)) : make_tuple(std::move(items));
}

bool holds(Evaluator& evaluator, const Set& set, const Value& item) {
  return std::any_of(set.items.begin(), set.items.end(),
                     [&](const Value& one) { return evaluator.equal(one, item); });
}

/// Takes copies, because a method __eq__ of an item may change the sets.
std::optional<Value> set_operation(Evaluator& evaluator, BinaryOperator op, const Set& one,
                                   const Set& other) {
  const Set left = one, right = other;
  evaluator.spend_items_of(left.items);
  evaluator.spend_items_of(right.items);
  auto result = std::make_shared<Set>();
  const auto add = [&](const Set& from, auto&& wanted) {
    for (const Value& item : from.items) {
      if (wanted(item)) evaluator.add_to(*result, item);
    }
  };
  const auto in_left = [&](const Value& item) { return holds(evaluator, left, item); };
  const auto in_right = [&](const Value& item) { return holds(evaluator, right, item); };
  const auto all = [](const Value&) { return true; };
  switch (op) {
    case BinaryOperator::bit_or: add(left, all), add(right, all); break;
    case BinaryOperator::bit_and: add(left, in_right); break;
    case BinaryOperator::subtract: add(left, std::not_fn(in_right)); break;
    case BinaryOperator::bit_xor:
      add(left, std::not_fn(in_right));
      add(right, std::not_fn(in_left));
      break;
    default: return std::nullopt;
  }
  return result;
}

/// Returns whether a value is a type, so that `int | None` works where an annotation is assigned to
/// a name.
bool is_type(const Value& value) {
  const auto* builtin = as<Builtin>(value);
  return as<Class>(value) || is_none(value) || as<Tuple>(value) ||
         (builtin && (*builtin)->name.starts_with("typing."));
}

/// Returns the union of two types as a tuple, which isinstance() accepts.
std::optional<Value> either(Evaluator& evaluator, const Value& left, const Value& right) {
  if (is_none(left) && is_none(right)) return std::nullopt;
  Values types;
  for (const Value* side : {&left, &right}) {
    if (const auto* several = as<Tuple>(*side)) {
      evaluator.spend_items(static_cast<std::int64_t>((*several)->items.size()));
      types.insert(types.end(), (*several)->items.begin(), (*several)->items.end());
    } else {
      types.push_back(*side);
    }
  }
  return make_tuple(std::move(types));
}

std::optional<Value> collection_operation(Evaluator& evaluator, BinaryOperator op,
                                          const Value& left, const Value& right) {
  if (op == BinaryOperator::add) return concatenation(evaluator, left, right);
  if (op == BinaryOperator::multiply) {
    if (auto result = repetition(evaluator, left, right)) return result;
    return repetition(evaluator, right, left);
  }
  if (op == BinaryOperator::modulo && is_text(left)) {
    return percent_format(evaluator, std::get<std::string>(left), right);
  }
  const auto* set = as<Set>(left);
  const auto* other = as<Set>(right);
  if (set && other) return set_operation(evaluator, op, **set, **other);
  if (op == BinaryOperator::bit_or && is_type(left) && is_type(right))
    return either(evaluator, left, right);
  const auto* dict = as<Dict>(left);
  const auto* more = as<Dict>(right);
  if (!dict || !more || op != BinaryOperator::bit_or) return std::nullopt;
  evaluator.spend_items_of(**dict);
  auto merged = std::make_shared<Dict>(**dict);
  for (const auto& [key, value] : (*more)->items) evaluator.set_key(*merged, key, value);
  return merged;
}

[[noreturn]] void unsupported(BinaryOperator op, std::string_view suffix, const Value& left,
                              const Value& right) {
  throw Mistake(fmt::format("unsupported operand type(s) for {}{}: '{}' and '{}'", written(op),
                            suffix, type_name(left), type_name(right)));
}

}  // namespace

/// `number op tensor` uses the operators that the Python API of PyTorch uses: rsub, and reciprocal
/// with mul.
Value tensor_operation(BinaryOperator op, const Value& left, const Value& right) {
  const std::string name(binary_operator_names(op).torch);
  if (is_tensor(left)) return call_operator(name, {{left, right}, {}});
  if (op == BinaryOperator::subtract) return call_operator("rsub", {{right, left}, {}});
  if (op == BinaryOperator::divide) {
    return call_operator("mul", {{call_operator("reciprocal", {{right}, {}}), left}, {}});
  }
  const bool swaps = op == BinaryOperator::add || op == BinaryOperator::multiply ||
                     op == BinaryOperator::bit_and || op == BinaryOperator::bit_or ||
                     op == BinaryOperator::bit_xor;
  if (swaps) return call_operator(name, {{right, left}, {}});
  return call_operator(name, {{left, right}, {}});
}

Value Evaluator::binary(BinaryOperator op, const Value& left, const Value& right) {
  const bool numbers = is_number(left) && is_number(right);
  if (numbers && !is_of_numpy(left) && !is_of_numpy(right))
    return number_operation(op, left, right);
  const bool numeric =
      (is_tensor(left) || is_number(left)) && (is_tensor(right) || is_number(right));
  if (numeric && !numbers) return tensor_operation(op, left, right);
  if (auto result = collection_operation(*this, op, left, right)) return *result;
  if (auto result = object_operation(*this, op, left, right)) return *result;
  if (op == BinaryOperator::add && is_text(left)) {
    throw Mistake(fmt::format("can only concatenate str (not \"{}\") to str", type_name(right)));
  }
  unsupported(op, "", left, right);
}

Value in_place_operation(Evaluator& evaluator, BinaryOperator op, const Value& left,
                         const Value& right) {
  if (const auto* list = as<List>(left); list && op == BinaryOperator::add) {
    // The items are taken before the list grows, because `a += a` must end.
    for (Value& item : evaluator.items(right)) (*list)->items.push_back(std::move(item));
    return left;
  }
  if (const auto* dict = as<Dict>(left); dict && op == BinaryOperator::bit_or) {
    const auto* more = as<Dict>(right);
    if (more == nullptr) unsupported(op, "=", left, right);
    for (const auto& [key, value] : Dict(**more).items) evaluator.set_key(**dict, key, value);
    return left;
  }
  if (is_tensor(left) && op != BinaryOperator::matrix_multiply && !as<Array>(right)) {
    return call_operator(std::string(binary_operator_names(op).torch) + "_", {{left, right}, {}});
  }
  const std::string name = fmt::format("__i{}__", binary_operator_names(op).method);
  if (auto result = evaluator.call_method(left, name, {right})) return *result;
  return evaluator.binary(op, left, right);
}

Value unary_operation(Evaluator& evaluator, syntax::UnaryOperator op, const Value& operand) {
  if (is_tensor(operand)) {
    if (op == syntax::UnaryOperator::plus) return operand;
    const bool minus = op == syntax::UnaryOperator::minus;
    return call_operator(minus ? "neg" : "bitwise_not", {{operand}, {}});
  }
  constexpr std::array kMethods{"__neg__", "__pos__", "__invert__"};
  constexpr std::array kWritten{"-", "+", "~"};
  const auto place = static_cast<std::size_t>(op);
  if (is_of_numpy(operand)) return *evaluator.call_method(operand, kMethods[place]);
  if (op == syntax::UnaryOperator::invert && is_integer(operand)) return ~integer_of(operand);
  if (op == syntax::UnaryOperator::plus && is_integer(operand)) return integer_of(operand);
  if (op == syntax::UnaryOperator::plus && is_number(operand)) return operand;
  if (op == syntax::UnaryOperator::minus && is_integer(operand)) {
    return number_operation(BinaryOperator::subtract, make_integer(0), operand);
  }
  if (op == syntax::UnaryOperator::minus && is_number(operand)) return -float_of(operand);
  if (auto result = evaluator.call_method(operand, kMethods[place])) return *result;
  throw Mistake(
      fmt::format("bad operand type for unary {}: '{}'", kWritten[place], type_name(operand)));
}

}  // namespace knead::engine::model
