#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// What operators mean between values: numbers as in Python (whole ones of 64 bits), texts,
// sequences, sets, tensors, and objects whose class defines the method.

Value unary_operation(Evaluator& evaluator, syntax::UnaryOperator op, const Value& operand);
Value in_place_operation(Evaluator& evaluator, syntax::BinaryOperator op, const Value& left,
                         const Value& right);
Value comparison_operation(Evaluator& evaluator, syntax::ComparisonOperator op, const Value& left,
                           const Value& right);

/// An operation of plain numbers.
Value number_operation(syntax::BinaryOperator op, const Value& left, const Value& right);

/// An operation where a tensor takes part.
Value tensor_operation(syntax::BinaryOperator op, const Value& left, const Value& right);

/// Whether `left` comes before `right`; Mistake for what has no order.
bool less(Evaluator& evaluator, const Value& left, const Value& right);

/// "+" as it is written.
std::string_view written(syntax::BinaryOperator op);

}  // namespace knead::engine::model
