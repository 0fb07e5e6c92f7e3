#include "runner/engine/model/values/numbers.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

namespace {

using syntax::BinaryOperator;

[[noreturn]] void too_large() { throw Mistake("this whole number does not fit 64 bits"); }

/// Divides and rounds down, as Python does; C++ rounds towards zero.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b, std::string_view what) {
  if (b == 0) throw Mistake::of("ZeroDivisionError", std::string(what));
  // The smallest int64 divided by -1 overflows and traps on the CPU.
  if (b == -1) {
    if (a == std::numeric_limits<std::int64_t>::min()) too_large();
    return -a;
  }
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Computes by squaring; a negative exponent gives a float, as in Python.
Value integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0)
      throw Mistake::of("ZeroDivisionError", "0.0 cannot be raised to a negative power");
    return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  }
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) too_large();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) too_large();
  }
  return result;
}

std::int64_t shifted(BinaryOperator op, std::int64_t a, std::int64_t b) {
  if (b < 0) throw Mistake("negative shift count");
  if (op == BinaryOperator::shift_right) return b > 63 ? (a < 0 ? -1 : 0) : a >> b;
  if (a == 0) return 0;
  if (b > 62 || (a << b) >> b != a) too_large();
  return a << b;
}

Value integer_operation(BinaryOperator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case BinaryOperator::add:
      if (__builtin_add_overflow(a, b, &result)) too_large();
      return result;
    case BinaryOperator::subtract:
      if (__builtin_sub_overflow(a, b, &result)) too_large();
      return result;
    case BinaryOperator::multiply:
      if (__builtin_mul_overflow(a, b, &result)) too_large();
      return result;
    case BinaryOperator::divide:
      if (b == 0) throw Mistake::of("ZeroDivisionError", "division by zero");
      return static_cast<double>(a) / static_cast<double>(b);
    case BinaryOperator::floor_divide:
      return floor_quotient(a, b, "integer division or modulo by zero");
    case BinaryOperator::modulo:
      if (b == -1) return make_integer(0);
      return a - floor_quotient(a, b, "integer modulo by zero") * b;
    case BinaryOperator::power: return integer_power(a, b);
    case BinaryOperator::shift_left:
    case BinaryOperator::shift_right: return shifted(op, a, b);
    case BinaryOperator::bit_and: return a & b;
    case BinaryOperator::bit_or: return a | b;
    case BinaryOperator::bit_xor: return a ^ b;
    case BinaryOperator::matrix_multiply: break;
  }
  throw Mistake("unsupported operand type(s) for @: 'int' and 'int'");
}

/// Returns the remainder with the sign of the divisor, as in Python.
double float_modulo(double a, double b) {
  if (b == 0) throw Mistake::of("ZeroDivisionError", "float modulo by zero");
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_floor_divide(double a, double b) {
  if (b == 0) throw Mistake::of("ZeroDivisionError", "float floor division by zero");
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1.0;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

double float_power(double a, double b) {
  if (a == 0 && b < 0)
    throw Mistake::of("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  if (a < 0 && b != std::floor(b)) {
    throw Mistake("complex numbers are not part of the language of models");
  }
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b)) {
    throw Mistake("(34, 'Numerical result out of range')");
  }
  return result;
}

}  // namespace

std::string_view written(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::add: return "+";
    case BinaryOperator::subtract: return "-";
    case BinaryOperator::multiply: return "*";
    case BinaryOperator::matrix_multiply: return "@";
    case BinaryOperator::divide: return "/";
    case BinaryOperator::floor_divide: return "//";
    case BinaryOperator::modulo: return "%";
    case BinaryOperator::power: return "** or pow()";
    case BinaryOperator::shift_left: return "<<";
    case BinaryOperator::shift_right: return ">>";
    case BinaryOperator::bit_and: return "&";
    case BinaryOperator::bit_or: return "|";
    case BinaryOperator::bit_xor: return "^";
  }
  return "";
}

std::int64_t absolute_value(std::int64_t number) {
  if (number == std::numeric_limits<std::int64_t>::min()) too_large();
  return number < 0 ? -number : number;
}

Value number_operation(BinaryOperator op, const Value& left, const Value& right) {
  if (is_integer(left) && is_integer(right)) {
    // In Python True & False is a bool, and True + True is an int.
    const bool flags = std::holds_alternative<bool>(left) && std::holds_alternative<bool>(right);
    const Value result = integer_operation(op, integer_of(left), integer_of(right));
    const bool is_logic = op == BinaryOperator::bit_and || op == BinaryOperator::bit_or ||
                          op == BinaryOperator::bit_xor;
    return flags && is_logic ? Value{integer_of(result) != 0} : result;
  }
  const double a = float_of(left);
  const double b = float_of(right);
  switch (op) {
    case BinaryOperator::add: return a + b;
    case BinaryOperator::subtract: return a - b;
    case BinaryOperator::multiply: return a * b;
    case BinaryOperator::divide:
      if (b == 0) throw Mistake::of("ZeroDivisionError", "float division by zero");
      return a / b;
    case BinaryOperator::floor_divide: return float_floor_divide(a, b);
    case BinaryOperator::modulo: return float_modulo(a, b);
    case BinaryOperator::power: return float_power(a, b);
    default: break;
  }
  throw Mistake(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", written(op),
                            type_name(left), type_name(right)));
}

}  // namespace knead::engine::model
