#pragma once

#include <cstdint>

#include "runner/sweep/search/space.h"

namespace knead::sweep {

/// Returns the point of a number in a random search: its coordinates are drawn independently of
/// each other and of other points, evenly over each dimension as `coordinate_at` divides it. A
/// function of the arguments alone; appending a dimension leaves the coordinates of the others.
Point random_point(const Space& space, std::uint64_t seed, std::uint64_t number);

}  // namespace knead::sweep
