#include "runner/sweep/search/sobol.h"

#include <array>
#include <bit>
#include <cmath>

#include "runner/plan/random.h"
#include "runner/sweep/search/coordinate.h"

namespace knead::sweep {
namespace {

using Columns = std::array<std::uint32_t, kSobolBits>;

/// The direction numbers of a dimension, each a numerator over 2^30. Bratley and Fox: Algorithm
/// 659, 1988, equation 2.
Columns columns_of(std::size_t dimension) {
  Columns numbers;  // m₁, m₂, … of the paper
  numbers.fill(1);
  if (dimension > 0) {
    const Direction& direction = kDirections[dimension - 1];
    const int degree = std::bit_width(direction.polynomial) - 1;
    for (int k = 0; k < kSobolBits; ++k) {
      if (k < degree) {
        numbers[k] = direction.first[k];
        continue;
      }
      numbers[k] = numbers[k - degree];
      for (int back = 1; back <= degree; ++back) {
        if (direction.polynomial >> (degree - back) & 1) numbers[k] ^= numbers[k - back] << back;
      }
    }
  }
  for (int k = 0; k < kSobolBits; ++k) numbers[k] <<= kSobolBits - 1 - k;
  return numbers;
}

}  // namespace

std::vector<std::uint32_t> sobol_sequence(std::size_t dimensions, std::uint64_t number) {
  // Antonov and Saleev's order: a point and the next differ by one direction number.
  const std::uint64_t gray = number ^ (number >> 1);
  std::vector<std::uint32_t> point;
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const Columns columns = columns_of(dimension);
    std::uint32_t bits = 0;
    for (int k = 0; k < kSobolBits; ++k) {
      if (gray >> k & 1) bits ^= columns[k];
    }
    point.push_back(bits);
  }
  return point;
}

Point sobol_point(const Space& space, std::uint64_t seed, std::uint64_t number) {
  const std::vector<std::uint32_t> unshifted = sobol_sequence(space.size(), number);
  Point point;
  for (const Dimension& dimension : space) {
    const std::size_t place = point.size();
    const std::uint64_t shift =
        plan::random_bits(seed, plan::Purpose::sweep_shift, static_cast<std::uint32_t>(place), 0);
    const auto bits = unshifted[place] ^ static_cast<std::uint32_t>(shift >> (64 - kSobolBits));
    // The middle of the cell that the bits name.
    point.push_back(coordinate_at(dimension, std::ldexp(bits + 0.5, -kSobolBits)));
  }
  return point;
}

}  // namespace knead::sweep
