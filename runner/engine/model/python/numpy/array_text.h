#pragma once

#include <string>

#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

/// Return repr() and str() of an array or a number as NumPy prints them with its default options:
/// "array([1. , 2.5])", "[1.  2.5]", "np.float64(0.1)", "0.1". Count the text as steps.
std::string repr_of(Evaluator& evaluator, const Value& value);
std::string str_of(Evaluator& evaluator, const Value& value);

}  // namespace knead::engine::model::numpy
