#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runner/sweep/search/directions.h"
#include "runner/sweep/search/space.h"

namespace knead::sweep {

/// How many bits a coordinate of the Sobol sequence has; 2^30 points differ.
constexpr int kSobolBits = 30;

/// Returns a point of the Sobol sequence in as many dimensions, at most kMostSobolDimensions. Each
/// coordinate is a numerator over 2^30. The points and their order are those of PyTorch's
/// `torch.quasirandom.SobolEngine` without scrambling; the first is 0. `number` counts modulo 2^30.
std::vector<std::uint32_t> sobol_sequence(std::size_t dimensions, std::uint64_t number);

/// Returns the point of a number in a Sobol search: that of the sequence, with the bits of each
/// coordinate flipped where those of a random number of the seed are 1. Such a shift keeps how
/// evenly the points lie, makes searches of different seeds different and the first point an
/// ordinary one. A space has at most kMostSobolDimensions.
Point sobol_point(const Space& space, std::uint64_t seed, std::uint64_t number);

}  // namespace knead::sweep
