#include "runner/engine/model/python/numpy/elementwise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/where.h>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/kernels.h"
#include "runner/engine/model/python/numpy/sine.h"
#include "runner/engine/model/python/numpy/square_root.h"

namespace knead::engine::model::numpy {

namespace {

/// States in which dtype a function computes.
enum class UnaryRule {
  real,         // in that of float_for()
  same,         // in that of the array
  no_flags,     // in that of the array, which must not be bool
  whole_stays,  // floats only; whole numbers are returned as they are
  any           // in that of the array; the result is bool
};

struct UnaryFunction {
  const char* name;
  UnaryRule rule;
  at::Tensor (*kernel)(const at::Tensor&);
};

at::Tensor squared(const at::Tensor& x) { return x.mul(x); }

/// The sign of NaN is NaN, as in NumPy; at::sign gives 0.
at::Tensor signs(const at::Tensor& x) {
  return is_float(x.scalar_type()) ? at::where(at::isnan(x), x, at::sign(x)) : at::sign(x);
}

at::Tensor reciprocals(const at::Tensor& x) {
  return mapped<[](auto one) { return decltype(one)(1) / one; }>(x);
}

at::Tensor copied(const at::Tensor& x) { return x.clone(); }

constexpr UnaryFunction kUnary[] = {
    {"sqrt", UnaryRule::real, [](const at::Tensor& x) { return square_root(x); }},
    {"exp", UnaryRule::real, mapped<[](auto x) { return std::exp(x); }>},
    {"exp2", UnaryRule::real, mapped<[](auto x) { return std::exp2(x); }>},
    {"expm1", UnaryRule::real, mapped<[](auto x) { return std::expm1(x); }>},
    {"log", UnaryRule::real, mapped<[](auto x) { return std::log(x); }>},
    {"log2", UnaryRule::real, mapped<[](auto x) { return std::log2(x); }>},
    {"log10", UnaryRule::real, mapped<[](auto x) { return std::log10(x); }>},
    {"log1p", UnaryRule::real, mapped<[](auto x) { return std::log1p(x); }>},
    {"sin", UnaryRule::real, mapped<[](auto x) { return sine(x); }>},
    {"cos", UnaryRule::real, mapped<[](auto x) { return cosine(x); }>},
    {"tan", UnaryRule::real, mapped<[](auto x) { return std::tan(x); }>},
    {"arcsin", UnaryRule::real, mapped<[](auto x) { return std::asin(x); }>},
    {"arccos", UnaryRule::real, mapped<[](auto x) { return std::acos(x); }>},
    {"arctan", UnaryRule::real, mapped<[](auto x) { return std::atan(x); }>},
    {"sinh", UnaryRule::real, mapped<[](auto x) { return std::sinh(x); }>},
    {"cosh", UnaryRule::real, mapped<[](auto x) { return std::cosh(x); }>},
    {"tanh", UnaryRule::real, mapped<[](auto x) { return std::tanh(x); }>},
    {"arcsinh", UnaryRule::real, mapped<[](auto x) { return std::asinh(x); }>},
    {"arccosh", UnaryRule::real, mapped<[](auto x) { return std::acosh(x); }>},
    {"arctanh", UnaryRule::real, mapped<[](auto x) { return std::atanh(x); }>},
    {"cbrt", UnaryRule::real, mapped<[](auto x) { return std::cbrt(x); }>},
    {"deg2rad", UnaryRule::real,
     mapped<[](auto x) { return x * decltype(x)(std::numbers::pi / 180.0); }>},
    {"rad2deg", UnaryRule::real,
     mapped<[](auto x) { return x * decltype(x)(180.0 / std::numbers::pi); }>},
    {"fabs", UnaryRule::real, [](const at::Tensor& x) { return at::abs(x); }},
    {"rint", UnaryRule::real, [](const at::Tensor& x) { return at::round(x); }},
    {"floor", UnaryRule::whole_stays, [](const at::Tensor& x) { return at::floor(x); }},
    {"ceil", UnaryRule::whole_stays, [](const at::Tensor& x) { return at::ceil(x); }},
    {"trunc", UnaryRule::whole_stays, [](const at::Tensor& x) { return at::trunc(x); }},
    {"absolute", UnaryRule::whole_stays, copied},
    {"square", UnaryRule::same, squared},
    {"reciprocal", UnaryRule::real, reciprocals},
    {"negative", UnaryRule::no_flags, [](const at::Tensor& x) { return at::neg(x); }},
    {"positive", UnaryRule::no_flags, copied},
    {"sign", UnaryRule::no_flags, signs},
    {"isnan", UnaryRule::any, [](const at::Tensor& x) { return at::isnan(x); }},
    {"isinf", UnaryRule::any, [](const at::Tensor& x) { return at::isinf(x); }},
    {"isfinite", UnaryRule::any, [](const at::Tensor& x) { return at::isfinite(x); }},
    {"logical_not", UnaryRule::any, [](const at::Tensor& x) { return at::logical_not(x); }},
    {"invert", UnaryRule::same, [](const at::Tensor& x) { return x.bitwise_not(); }},
};

/// Other names of functions.
constexpr std::pair<const char*, const char*> kSameUnary[] = {
    {"abs", "absolute"}, {"radians", "deg2rad"}, {"degrees", "rad2deg"}, {"fix", "trunc"},
    {"asin", "arcsin"},  {"acos", "arccos"},     {"atan", "arctan"},     {"bitwise_not", "invert"}};

at::Tensor computed(const UnaryFunction& function, const at::Tensor& numbers) {
  const c10::ScalarType type = numbers.scalar_type();
  const std::string_view name = function.name;
  if (function.rule == UnaryRule::no_flags && type == c10::ScalarType::Bool) {
    throw Mistake::of("TypeError", fmt::format("The numpy boolean {}, is not supported", name));
  }
  if (name == "absolute") return type == at::kBool ? numbers : at::abs(numbers);
  if (function.rule == UnaryRule::whole_stays && is_whole(type)) return numbers.clone();
  if (name == "invert" && is_float(type)) {
    throw Mistake::of("TypeError",
                      "ufunc 'invert' not supported for the input types, and the inputs could not "
                      "be safely coerced to any supported types");
  }
  const c10::ScalarType wanted = function.rule == UnaryRule::real ? float_for(type) : type;
  if (wanted != c10::ScalarType::Half) return function.kernel(numbers.to(wanted));
  const at::Tensor made = function.kernel(numbers.to(at::kFloat));
  return made.scalar_type() == at::kFloat ? made.to(at::kHalf) : made;
}

const UnaryFunction& find_unary(std::string_view name) {
  return *std::find_if(std::begin(kUnary), std::end(kUnary),
                       [&](const UnaryFunction& one) { return one.name == name; });
}

Value call_unary(Evaluator& evaluator, const UnaryFunction& function, const Value& value) {
  const at::Tensor numbers = array_of(evaluator, value);
  spend_array(evaluator, numbers.sizes());
  const at::Tensor made = computed(function, numbers);
  if (!is_tensor(value)) return result_of(made);
  // NumPy gives a Tensor for a Tensor, whose class turns bool into uint8.
  return made.scalar_type() == at::kBool ? made.to(at::kByte) : made;
}

}  // namespace

Value unary_function(Evaluator& evaluator, std::string_view name, const Value& value) {
  return call_unary(evaluator, find_unary(name), value);
}

at::Tensor rounded_to(const at::Tensor& numbers, std::int64_t decimals) {
  const c10::ScalarType type = numbers.scalar_type();
  if (is_whole(type)) {
    if (decimals < 0) throw Mistake("rounding whole numbers to tens is not available to models");
    return type == c10::ScalarType::Bool ? numbers.to(at::kHalf) : numbers.clone();
  }
  if (type == c10::ScalarType::Half) return rounded_to(numbers.to(at::kFloat), decimals).to(type);
  if (decimals == 0) return at::round(numbers);
  // NumPy multiplies, rounds and divides.
  const double scale = std::pow(10.0, static_cast<double>(std::abs(decimals)));
  if (decimals < 0) return at::round(numbers.div(scale)).mul(scale);
  return at::round(numbers.mul(scale)).div(scale);
}

void add_elementwise(Namespace& names) {
  const auto add = [&](const std::string& name, const UnaryFunction& function) {
    const auto call = [&function, name](Evaluator& evaluator, const Arguments& arguments,
                                        syntax::Range) {
      const BoundArguments bound(name, arguments, {"x"}, 1);
      return call_unary(evaluator, function, bound[0]);
    };
    names.names->set(name, make_builtin("numpy." + name, call));
  };
  for (const UnaryFunction& function : kUnary) add(function.name, function);
  for (const auto& [name, of] : kSameUnary) add(name, find_unary(of));
}

}  // namespace knead::engine::model::numpy
