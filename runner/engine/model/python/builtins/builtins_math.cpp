#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns an argument as a double; a tensor must have one item.
double number(const Value& value) {
  if (is_number(value)) return float_of(value);
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return float_of(number_of(*tensor));
  throw Mistake(fmt::format("must be real number, not {}", type_name(value)));
}

/// Throws Mistake for results that Python refuses: NaN or infinity from finite arguments.
double checked(double result, bool finite_arguments) {
  if (std::isnan(result) && finite_arguments) throw Mistake("math domain error");
  if (std::isinf(result) && finite_arguments) throw Mistake("math range error");
  return result;
}

/// Implements a function of one number.
template <double (*Function)(double)>
Value one(Evaluator&, const Arguments& arguments) {
  const double x = number(BoundArguments("math function", arguments, {"x"}, 1)[0]);
  return checked(Function(x), std::isfinite(x));
}

/// Implements a function of two numbers.
template <double (*Function)(double, double)>
Value two(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("math function", arguments, {"x", "y"}, 2);
  const double x = number(bound[0]);
  const double y = number(bound[1]);
  return checked(Function(x, y), std::isfinite(x) && std::isfinite(y));
}

/// Refuses 0 and negative numbers, as Python does; C++ returns -inf or NaN.
template <double (*Function)(double)>
double logarithm(double x) {
  if (x <= 0) throw Mistake("math domain error");
  return Function(x);
}

Value log(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("math.log", arguments, {"x", "base"}, 1);
  const double value = logarithm<std::log>(number(bound[0]));
  return bound.has(1) ? value / logarithm<std::log>(number(bound[1])) : value;
}

/// Converts a whole double to an int.
Value whole(double value) {
  if (std::isnan(value)) throw Mistake("cannot convert float NaN to integer");
  if (!(std::abs(value) < 9.2e18)) throw Mistake("this whole number does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

/// Implements floor, ceil and trunc.
template <double (*Function)(double)>
Value rounding(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("math function", arguments, {"x"}, 1);
  if (is_integer(bound[0])) return integer_of(bound[0]);
  return whole(Function(number(bound[0])));
}

/// Implements isnan, isinf and isfinite.
template <bool (*Is)(double)>
Value test(Evaluator&, const Arguments& arguments) {
  return Is(number(BoundArguments("math function", arguments, {"x"}, 1)[0]));
}

Value prod(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("math.prod", arguments, {"iterable", "*start"}, 1);
  Value product = bound.has(1) ? bound[1] : make_integer(1);
  for (const Value& item : evaluator.items(bound[0])) {
    product = evaluator.binary(syntax::BinaryOperator::multiply, product, item);
  }
  return product;
}

Value greatest_divisor(Evaluator&, const Arguments& arguments) {
  std::int64_t result = 0;
  for (const Value& value : arguments.positional) {
    result = std::gcd(result, absolute_value(to_integer(value)));
  }
  return result;
}

Value least_multiple(Evaluator&, const Arguments& arguments) {
  Value result = make_integer(1);
  for (const Value& value : arguments.positional) {
    const std::int64_t so_far = integer_of(result);
    const std::int64_t next = absolute_value(to_integer(value));
    if (next == 0) return make_integer(0);
    result =
        number_operation(syntax::BinaryOperator::multiply, so_far / std::gcd(so_far, next), next);
  }
  return result;
}

Value square_root_of_integer(Evaluator&, const Arguments& arguments) {
  const std::int64_t n = to_integer(BoundArguments("math.isqrt", arguments, {"n"}, 1)[0]);
  if (n < 0) throw Mistake("isqrt() argument must be nonnegative");
  const auto square = static_cast<std::uint64_t>(n);  // (root + 1)² may exceed 63 bits
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  // A double has 53 bits, so the root of a large number may be off by one.
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return static_cast<std::int64_t>(root);
}

Value factorial(Evaluator&, const Arguments& arguments) {
  const std::int64_t n = to_integer(BoundArguments("math.factorial", arguments, {"n"}, 1)[0]);
  if (n < 0) throw Mistake("factorial() not defined for negative values");
  Value product = make_integer(1);
  for (std::int64_t i = 2; i <= n; ++i) {
    // The product overflows at 21!, which ends the loop for a large n.
    product = number_operation(syntax::BinaryOperator::multiply, product, i);
  }
  return product;
}

Value is_close(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("math.isclose", arguments, {"a", "b", "*rel_tol", "*abs_tol"}, 2);
  const double a = number(bound[0]);
  const double b = number(bound[1]);
  const double relative = bound.has(2) ? number(bound[2]) : 1e-9;
  const double absolute = bound.has(3) ? number(bound[3]) : 0.0;
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  return std::abs(a - b) <= std::max(relative * std::max(std::abs(a), std::abs(b)), absolute);
}

double to_radians(double degrees) { return degrees * (std::numbers::pi / 180.0); }
double to_degrees(double radians) { return radians * (180.0 / std::numbers::pi); }

}  // namespace

void add_math(Evaluator& evaluator) {
  const auto math = make_namespace("math");
  const std::pair<const char*, Method> functions[] = {{"sqrt", one<std::sqrt>},
                                                      {"exp", one<std::exp>},
                                                      {"expm1", one<std::expm1>},
                                                      {"log", log},
                                                      {"log2", one<logarithm<std::log2>>},
                                                      {"log10", one<logarithm<std::log10>>},
                                                      {"log1p", one<std::log1p>},
                                                      {"sin", one<std::sin>},
                                                      {"cos", one<std::cos>},
                                                      {"tan", one<std::tan>},
                                                      {"asin", one<std::asin>},
                                                      {"acos", one<std::acos>},
                                                      {"atan", one<std::atan>},
                                                      {"sinh", one<std::sinh>},
                                                      {"cosh", one<std::cosh>},
                                                      {"tanh", one<std::tanh>},
                                                      {"erf", one<std::erf>},
                                                      {"gamma", one<std::tgamma>},
                                                      {"lgamma", one<std::lgamma>},
                                                      {"fabs", one<std::fabs>},
                                                      {"radians", one<to_radians>},
                                                      {"degrees", one<to_degrees>},
                                                      {"pow", two<std::pow>},
                                                      {"atan2", two<std::atan2>},
                                                      {"hypot", two<std::hypot>},
                                                      {"fmod", two<std::fmod>},
                                                      {"copysign", two<std::copysign>},
                                                      {"floor", rounding<std::floor>},
                                                      {"ceil", rounding<std::ceil>},
                                                      {"trunc", rounding<std::trunc>},
                                                      {"isnan", test<std::isnan>},
                                                      {"isinf", test<std::isinf>},
                                                      {"isfinite", test<std::isfinite>},
                                                      {"prod", prod},
                                                      {"gcd", greatest_divisor},
                                                      {"lcm", least_multiple},
                                                      {"isqrt", square_root_of_integer},
                                                      {"factorial", factorial},
                                                      {"isclose", is_close}};
  for (const auto& [name, function] : functions) add_function(*math, name, function);
  math->names->set("pi", std::numbers::pi);
  math->names->set("e", std::numbers::e);
  math->names->set("tau", 2 * std::numbers::pi);
  math->names->set("inf", std::numeric_limits<double>::infinity());
  math->names->set("nan", std::numeric_limits<double>::quiet_NaN());
  evaluator.add_module("math", math);
}

}  // namespace knead::engine::model
