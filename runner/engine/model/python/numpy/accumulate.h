#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine::model::numpy {

/// Adds the numbers along dimensions, which the result no longer has, in the order of NumPy: the
/// dimension with the smallest step is the inner one, and its numbers are added pairwise in blocks.
/// float32 and float64 have NumPy's bits; float16 is added in float32. Whole numbers wrap around.
at::Tensor ordered_sum(const at::Tensor& numbers, const std::vector<std::int64_t>& dimensions);

/// Multiplies the numbers along dimensions, one after the other in the order of NumPy.
at::Tensor ordered_product(const at::Tensor& numbers, const std::vector<std::int64_t>& dimensions);

}  // namespace knead::engine::model::numpy
