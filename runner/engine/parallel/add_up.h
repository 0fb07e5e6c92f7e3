#pragma once

#include <cstddef>
#include <span>

#include <c10/core/ScalarType.h>

namespace knead::engine::parallel {

/// Returns whether add_up() knows a dtype: the floating-point ones and complex ones, which is what
/// gradients have.
bool can_add_up(at::ScalarType type);

/// Replaces the numbers of several arrays by their sums over the arrays: number i of each becomes
/// the sum of the numbers i of all, in their order. 16-bit numbers are added in float32 and rounded
/// once. Adds those in [begin, end), which count bytes of each array and lie between two numbers.
void add_up(at::ScalarType type, std::span<std::byte* const> arrays, std::size_t begin,
            std::size_t end);

}  // namespace knead::engine::parallel
