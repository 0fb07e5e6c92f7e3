#pragma once

#include <cstdint>
#include <optional>

#include "runner/sweep/search/space.h"

namespace knead::sweep {

/// A grid takes all combinations of the values of its dimensions: every choice, and `points`
/// numbers of a range, of which the first and the last are its bounds and neighbours are equally
/// far from each other, in the logarithm if the range is logarithmic. Whole numbers are the nearest
/// to those, and each is taken once, so that there may be fewer of them than `points`; without
/// `points` they are all taken. A range of real numbers has `points` of at least 1; one point is
/// the lower bound.

/// Returns how many points the grid has; std::nullopt if they are more than 64 bits count.
std::optional<std::uint64_t> grid_size(const Space& space);

/// Returns a point of the grid by its number, below the size of the grid. The last dimension
/// changes fastest. Takes time in the number of dimensions, and in `points` of logarithmic ranges
/// of whole numbers.
Point grid_point(const Space& space, std::uint64_t number);

}  // namespace knead::sweep
