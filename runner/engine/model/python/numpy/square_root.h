#pragma once

#include <ATen/core/Tensor.h>

namespace knead::engine::model::numpy {

/// Returns the square root of each number, correctly rounded as NumPy's. at::sqrt computes float64
/// in MKL, which on some processors is wrong in the last bit.
at::Tensor square_root(const at::Tensor& numbers);

}  // namespace knead::engine::model::numpy
