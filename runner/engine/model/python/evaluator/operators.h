#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/values/numbers.h"

namespace knead::engine::model {

/// The version of PyTorch whose semantics models have.
inline constexpr std::string_view kTorchVersion = "2.11.0";

// Operators on values: numbers as in Python (integers have 64 bits), texts, sequences, sets,
// tensors, and objects whose class defines the method. All throw Mistake for operands that do not
// support the operator; operators of tensors may also throw c10::Error for shapes that do not fit.

Value unary_operation(Evaluator& evaluator, syntax::UnaryOperator op, const Value& operand);
/// Computes `left op= right` and returns the new value of the target; changes lists, dicts and
/// tensors in place. Values without an in-place operator give a new one, as in Python.
Value in_place_operation(Evaluator& evaluator, syntax::BinaryOperator op, const Value& left,
                         const Value& right);
/// Computes any comparison, `is` and `in` included. Returns a tensor if one operand is a tensor and
/// the other a tensor or a number; what the method returns for < and its like of an object; a bool
/// otherwise.
Value comparison_operation(Evaluator& evaluator, syntax::ComparisonOperator op, const Value& left,
                           const Value& right);

/// Computes an operation on two operands of which at least one is a tensor and the other a tensor
/// or a number.
Value tensor_operation(syntax::BinaryOperator op, const Value& left, const Value& right);

/// Returns whether `left < right`; throws Mistake for values without order.
bool less(Evaluator& evaluator, const Value& left, const Value& right);

}  // namespace knead::engine::model
