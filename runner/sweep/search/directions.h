#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace knead::sweep {

/// How many dimensions have direction numbers.
constexpr std::size_t kMostSobolDimensions = 128;

/// Holds the numbers from which all direction numbers of a dimension of Sobol points follow.
struct Direction {
  /// A primitive polynomial over the field of two elements, its coefficients as bits.
  std::uint16_t polynomial;
  /// The first direction numbers m₁, m₂, …, as many as the degree of the polynomial; the rest is 0.
  std::array<std::uint16_t, 10> first;
};

/// The directions of all dimensions but the first, which needs none: the first rows of
/// new-joe-kuo-6.21201 (Joe and Kuo: Constructing Sobol sequences with better two-dimensional
/// projections, 2008).
extern const std::array<Direction, kMostSobolDimensions - 1> kDirections;

}  // namespace knead::sweep
