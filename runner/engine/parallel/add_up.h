#pragma once

#include <cstddef>
#include <span>

#include <ATen/core/Tensor.h>

namespace knead::engine::parallel {

/// Returns whether add_up() knows a dtype: the floating-point ones and complex ones, which is what
/// gradients have.
bool can_add_up(at::ScalarType type);

/// Replaces the numbers of several arrays by their sums over the arrays: number i of each becomes
/// the sum of the numbers i of all, in their order. 16-bit numbers are added in float32 and rounded
/// once. Adds those in [begin, end), which count bytes of each array and lie between two numbers.
void add_up(at::ScalarType type, std::span<std::byte* const> arrays, std::size_t begin,
            std::size_t end);

/// Adds the sums over several arrays to a tensor in host memory: number i of it grows by the sum of
/// the numbers i of [begin, end) of all arrays, in their order. The arrays stay as they are. The
/// tensor is flat; its dtype may be another one than that of the arrays, whose 16-bit numbers are
/// added in float32.
void add_up_into(const at::Tensor& target, at::ScalarType type,
                 std::span<const std::byte* const> arrays, std::size_t begin, std::size_t end);

}  // namespace knead::engine::parallel
