#pragma once

#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

/// Computes np.matmul(left, right). Products of whole numbers are exact; those of floats are added
/// in another order than NumPy's library does it, so they may differ in the last bits.
Value matrix_product(Evaluator& evaluator, const Value& left, const Value& right);

}  // namespace knead::engine::model::numpy
