#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runner/sweep/search/space.h"

namespace knead::sweep {

/// What is known of an earlier trial of a search.
struct Observation {
  Point point;
  /// Lower is better. std::nullopt: the trial failed. A loss that is not finite counts as failed.
  std::optional<double> loss;
  /// The share of the run that the trial trained for; below 1 if it was pruned.
  double reach = 1;
};

/// Returns the point of a number in a search by a tree-structured Parzen estimator (Bergstra et
/// al.: Algorithms for Hyper-Parameter Optimization, 2011). While fewer than 10 trials of `history`
/// have a loss, it is that of `sobol_point`, or of `random_point` where the space has too many
/// dimensions. Afterwards it is the one of some candidates, drawn near the best trials, at which
/// the density of the best trials exceeds that of the others the most. Pruned trials rank behind
/// those that ran to their end, by how far they came, then by loss. Failed trials are never
/// among the best: the search keeps away from them. `history` need not hold all trials before
/// `number`: those that still run are left out. A function of the arguments alone, with the same
/// bits on every machine. Takes time in proportion to the length of `history`.
Point tpe_point(const Space& space, std::uint64_t seed, std::uint64_t number,
                std::span<const Observation> history);

}  // namespace knead::sweep
