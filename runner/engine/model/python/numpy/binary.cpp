#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ATen/ops/add.h>
#include <ATen/ops/any.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/fmax.h>
#include <ATen/ops/fmin.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/le.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/logical_xor.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sub.h>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/arithmetic.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/kernels.h"
#include "runner/engine/model/python/numpy/linear_algebra.h"
#include "runner/engine/model/python/numpy/square_root.h"

namespace knead::engine::model::numpy {

namespace {

/// States in which dtype a function of two arrays computes.
enum class BinaryRule {
  same,      // in the common dtype
  no_flags,  // in the common dtype, int8 in place of bool
  divide,    // in the common dtype, float64 in place of whole numbers
  real,      // in that of float_for()
  whole,     // in the common dtype, which must not be a float
  compare,   // in the common dtype; the result is bool
};

using BinaryKernel = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

struct BinaryFunction {
  const char* name;
  BinaryRule rule;
  BinaryKernel kernel;
};

at::Tensor powers(const at::Tensor& base, const at::Tensor& exponent) {
  if (is_whole(exponent.scalar_type()) && exponent.lt(0).any().item<bool>()) {
    throw Mistake::of("ValueError", "Integers to negative integer powers are not allowed.");
  }
  return zipped<[](auto x, auto y) { return power_of(x, y); }>(base, exponent);
}

constexpr BinaryFunction kBinary[] = {
    {"add", BinaryRule::same, [](const auto& a, const auto& b) { return at::add(a, b); }},
    {"subtract", BinaryRule::same, [](const auto& a, const auto& b) { return at::sub(a, b); }},
    {"multiply", BinaryRule::same, [](const auto& a, const auto& b) { return at::mul(a, b); }},
    {"divide", BinaryRule::divide, [](const auto& a, const auto& b) { return at::div(a, b); }},
    {"floor_divide", BinaryRule::no_flags,
     zipped<[](auto a, auto b) { return floor_divided(a, b); }>},
    {"remainder", BinaryRule::no_flags, zipped<[](auto a, auto b) { return remainder_of(a, b); }>},
    {"fmod", BinaryRule::no_flags, zipped<[](auto a, auto b) { return fmod_of(a, b); }>},
    {"power", BinaryRule::no_flags, powers},
    {"maximum", BinaryRule::same, [](const auto& a, const auto& b) { return at::maximum(a, b); }},
    {"minimum", BinaryRule::same, [](const auto& a, const auto& b) { return at::minimum(a, b); }},
    {"fmax", BinaryRule::same, [](const auto& a, const auto& b) { return at::fmax(a, b); }},
    {"fmin", BinaryRule::same, [](const auto& a, const auto& b) { return at::fmin(a, b); }},
    {"arctan2", BinaryRule::real, zipped<[](auto a, auto b) { return std::atan2(a, b); }>},
    {"hypot", BinaryRule::real, zipped<[](auto a, auto b) { return std::hypot(a, b); }>},
    {"copysign", BinaryRule::real, zipped<[](auto a, auto b) { return std::copysign(a, b); }>},
    {"equal", BinaryRule::compare, [](const auto& a, const auto& b) { return at::eq(a, b); }},
    {"not_equal", BinaryRule::compare, [](const auto& a, const auto& b) { return at::ne(a, b); }},
    {"less", BinaryRule::compare, [](const auto& a, const auto& b) { return at::lt(a, b); }},
    {"less_equal", BinaryRule::compare, [](const auto& a, const auto& b) { return at::le(a, b); }},
    {"greater", BinaryRule::compare, [](const auto& a, const auto& b) { return at::gt(a, b); }},
    {"greater_equal", BinaryRule::compare,
     [](const auto& a, const auto& b) { return at::ge(a, b); }},
    {"logical_and", BinaryRule::compare,
     [](const auto& a, const auto& b) { return at::logical_and(a, b); }},
    {"logical_or", BinaryRule::compare,
     [](const auto& a, const auto& b) { return at::logical_or(a, b); }},
    {"logical_xor", BinaryRule::compare,
     [](const auto& a, const auto& b) { return at::logical_xor(a, b); }},
    {"bitwise_and", BinaryRule::whole,
     [](const auto& a, const auto& b) { return a.bitwise_and(b); }},
    {"bitwise_or", BinaryRule::whole, [](const auto& a, const auto& b) { return a.bitwise_or(b); }},
    {"bitwise_xor", BinaryRule::whole,
     [](const auto& a, const auto& b) { return a.bitwise_xor(b); }},
    {"left_shift", BinaryRule::whole,
     [](const auto& a, const auto& b) { return a.bitwise_left_shift(b); }},
    {"right_shift", BinaryRule::whole,
     [](const auto& a, const auto& b) { return a.bitwise_right_shift(b); }},
};

constexpr std::pair<const char*, const char*> kSameBinary[] = {
    {"true_divide", "divide"}, {"mod", "remainder"}, {"pow", "power"}, {"atan2", "arctan2"}};

const BinaryFunction& find_binary(std::string_view name) {
  return *std::find_if(std::begin(kBinary), std::end(kBinary),
                       [&](const BinaryFunction& one) { return one.name == name; });
}

c10::ScalarType working_type(const BinaryFunction& function, c10::ScalarType type) {
  switch (function.rule) {
    case BinaryRule::no_flags: return type == at::kBool ? at::kChar : type;
    case BinaryRule::divide: return is_whole(type) ? at::kDouble : type;
    case BinaryRule::real: return float_for(type);
    case BinaryRule::whole:
      if (is_whole(type)) return type;
      throw Mistake::of("TypeError",
                        fmt::format("ufunc '{}' not supported for the input types, and the inputs "
                                    "could not be safely coerced to any supported types",
                                    function.name));
    default: break;
  }
  if (function.name == std::string_view("subtract") && type == at::kBool) {
    throw Mistake::of("TypeError",
                      "numpy boolean subtract, the `-` operator, is not supported, use the "
                      "bitwise_xor, the `^` operator, or the logical_xor function instead.");
  }
  return type;
}

/// Computes x ** e as NumPy does for some exponents e that are one number.
std::optional<at::Tensor> simple_power(const at::Tensor& base, const at::Tensor& exponent) {
  if (exponent.dim() != 0 || base.dim() == 0 || !is_float(base.scalar_type())) return std::nullopt;
  const double number = exponent.item<double>();
  if (number == 2) return base.mul(base);
  if (number == 1) return base.clone();
  if (number == 0.5) return square_root(base);
  return std::nullopt;
}

at::Tensor computed(Evaluator& evaluator, const BinaryFunction& function, const Operand& left,
                    const Operand& right) {
  c10::ScalarType common = result_type({left, right});
  for (const Operand& operand : {left, right}) {
    const bool is_whole_number = operand.weak && operand.numbers.scalar_type() == at::kLong;
    if (!is_whole_number || !is_whole(common)) continue;
    // Any two whole numbers can be compared; arithmetic needs the dtype of the array.
    if (function.rule == BinaryRule::compare) {
      common = at::kLong;
    } else {
      must_fit(operand.numbers.item<std::int64_t>(), common);
    }
  }
  const c10::ScalarType type = working_type(function, common);
  const auto shape = broadcast_shape({left.numbers, right.numbers});
  spend_array(evaluator, shape);
  const c10::ScalarType inner = type == at::kHalf ? at::kFloat : type;
  const at::Tensor a = left.numbers.to(inner);
  const at::Tensor b = right.numbers.to(inner);
  const bool is_power = function.kernel == powers;
  const auto simple = is_power ? simple_power(a, b) : std::nullopt;
  const at::Tensor made = simple ? *simple : function.kernel(a.expand(shape), b.expand(shape));
  return type == at::kHalf && made.scalar_type() == at::kFloat ? made.to(type) : made;
}

/// Returns whether NumPy would compare the value with numbers; any other one equals none.
bool is_comparable(const Value& value) {
  return is_number(value) || as<Array>(value) || sequence(value) || as<Range>(value) ||
         is_tensor(value);
}

Value call_binary(Evaluator& evaluator, const BinaryFunction& function, const Value& left,
                  const Value& right) {
  const bool is_equality =
      function.name == std::string_view("equal") || function.name == std::string_view("not_equal");
  if (is_equality && (!is_comparable(left) || !is_comparable(right))) {
    const at::Tensor numbers = self_of(is_comparable(left) ? left : right);
    return result_of(
        at::full(numbers.sizes(), function.name == std::string_view("not_equal"), at::kBool));
  }
  return result_of(
      computed(evaluator, function, operand_of(evaluator, left), operand_of(evaluator, right)));
}

}  // namespace

Value binary_function(Evaluator& evaluator, std::string_view name, const Value& left,
                      const Value& right) {
  if (name == "matmul") return matrix_product(evaluator, left, right);
  return call_binary(evaluator, find_binary(name), left, right);
}

void add_binary_functions(Namespace& names) {
  const auto add = [&](const std::string& name, const BinaryFunction& function) {
    const auto call = [&function, name](Evaluator& evaluator, const Arguments& arguments,
                                        syntax::Range) {
      const BoundArguments bound(name, arguments, {"x1", "x2"}, 2);
      return call_binary(evaluator, function, bound[0], bound[1]);
    };
    names.names->set(name, make_builtin("numpy." + name, call));
  };
  for (const BinaryFunction& function : kBinary) add(function.name, function);
  for (const auto& [name, of] : kSameBinary) add(name, find_binary(of));
}

}  // namespace knead::engine::model::numpy
