#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

// The dtypes of NumPy: their classes, the conversion of arguments to them, and promotion.

/// Adds the classes (float32, ndarray's scalars, integer, floating, …), `dtype`, finfo and iinfo to
/// the module, and registers the classes.
void add_dtypes(Evaluator& evaluator, Namespace& names);

/// Returns the object that `array.dtype` is: compares equal to np.float32, "float32" and float.
Value dtype_value(c10::ScalarType type);

/// Converts np.float32, a dtype object, "float32", "<f4", float, int or bool to a dtype; None or an
/// absent argument to std::nullopt. Throws Mistake for any other value, and for dtypes that do not
/// exist here: complex numbers, texts, objects, uint16 and its like.
std::optional<c10::ScalarType> to_array_type(const Value& value);

/// Returns the dtype that holds the numbers of two dtypes, as np.promote_types: int64 and float32
/// give float64.
c10::ScalarType promoted(c10::ScalarType a, c10::ScalarType b);

/// Returns the dtype of an operation, as np.result_type: a number of Python takes part only with
/// its kind, so a float does not widen an array of float32.
c10::ScalarType result_type(const std::vector<Operand>& operands);

/// Returns the float dtype in which sqrt, exp and their like compute: the dtype of floats, float16
/// for bool, int8 and uint8, float32 for int16, float64 for longer ints.
c10::ScalarType float_for(c10::ScalarType type);

bool is_whole(c10::ScalarType type);  // an int or a bool
bool is_float(c10::ScalarType type);

/// Returns whether np.can_cast(from, to, "same_kind") holds.
bool can_cast_same_kind(c10::ScalarType from, c10::ScalarType to);

}  // namespace knead::engine::model::numpy
