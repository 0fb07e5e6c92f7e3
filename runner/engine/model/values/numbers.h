#pragma once

#include <string_view>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Computes an operation on two numbers; is_number() must hold. Division, `//` and `%` follow
/// Python: -7 // 2 is -4. Throws Mistake if an integer overflows, for a division by zero, and for a
/// result that is complex.
Value number_operation(syntax::BinaryOperator op, const Value& left, const Value& right);

/// Returns the absolute value; throws Mistake for the smallest int, whose absolute value does not
/// fit 64 bits.
std::int64_t absolute_value(std::int64_t number);

/// Returns an operator as source text: "+".
std::string_view written(syntax::BinaryOperator op);

}  // namespace knead::engine::model
