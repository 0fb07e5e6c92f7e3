#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"

namespace knead::engine::model::numpy {

namespace {

/// The operators with the functions that compute them; "matmul" is a function of its own.
constexpr std::pair<const char*, const char*> kOperators[] = {
    {"add", "add"},         {"sub", "subtract"},          {"mul", "multiply"},
    {"truediv", "divide"},  {"floordiv", "floor_divide"}, {"mod", "remainder"},
    {"pow", "power"},       {"and", "bitwise_and"},       {"or", "bitwise_or"},
    {"xor", "bitwise_xor"}, {"lshift", "left_shift"},     {"rshift", "right_shift"},
    {"matmul", "matmul"}};
constexpr std::pair<const char*, const char*> kComparisons[] = {
    {"eq", "equal"},      {"ne", "not_equal"}, {"lt", "less"},
    {"le", "less_equal"}, {"gt", "greater"},   {"ge", "greater_equal"}};

/// Writes a result into the array of `a += b`.
Value assigned_in_place(const Value& self, std::string_view function, const Value& result) {
  const Array& array = **as<Array>(self);
  must_be_writable(array);
  const at::Tensor from = self_of(result);
  if (!can_cast_same_kind(from.scalar_type(), array.numbers.scalar_type())) {
    throw Mistake::of(
        "TypeError",
        fmt::format("Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting "
                    "rule 'same_kind'",
                    function, array_type_name(from.scalar_type()),
                    array_type_name(array.numbers.scalar_type())));
  }
  if (from.sizes() != array.numbers.sizes()) {
    throw Mistake::of("ValueError",
                      fmt::format("non-broadcastable output operand with shape {} "
                                  "doesn't match the broadcast shape {}",
                                  shape_text(array.numbers.sizes()), shape_text(from.sizes())));
  }
  array.numbers.copy_(from);
  return self;
}

/// Adds a method of two arguments that calls a function by its name.
template <typename Call>
void add_binary_method(Class& type, const std::string& name, Call call) {
  type.members.emplace_back(
      name, make_builtin(type.name + "." + name,
                         [name, call](Evaluator& evaluator, const Arguments& arguments,
                                      syntax::Range) -> Value {
                           const BoundArguments bound(name, arguments, {"self", "other"}, 2);
                           return call(evaluator, bound[0], bound[1]);
                         }));
}

}  // namespace

void add_operators(Class& type, bool in_place) {
  for (const auto& [op, name] : kOperators) {
    const std::string function = name;
    add_binary_method(type, fmt::format("__{}__", op),
                      [function](Evaluator& evaluator, const Value& self, const Value& other) {
                        return binary_function(evaluator, function, self, other);
                      });
    add_binary_method(type, fmt::format("__r{}__", op),
                      [function](Evaluator& evaluator, const Value& self, const Value& other) {
                        return binary_function(evaluator, function, other, self);
                      });
    if (!in_place) continue;
    add_binary_method(type, fmt::format("__i{}__", op),
                      [function](Evaluator& evaluator, const Value& self, const Value& other) {
                        const Value result = binary_function(evaluator, function, self, other);
                        return assigned_in_place(self, function, result);
                      });
  }
  for (const auto& [op, name] : kComparisons) {
    const std::string function = name;
    add_binary_method(type, fmt::format("__{}__", op),
                      [function](Evaluator& evaluator, const Value& self, const Value& other) {
                        return binary_function(evaluator, function, self, other);
                      });
  }
}

}  // namespace knead::engine::model::numpy
