#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::report {

/// How much a key of a sweep matters for the objective, by itself.
struct Importance {
  std::string key;
  /// The share of the variance of the objective's ranks that groups of points with like values of
  /// the key explain: 0 … 1. It is corrected for the number of groups (ε²), so that a key without
  /// influence has about 0 and not more with more groups.
  double share = 0;
  std::size_t groups = 0;
};

/// Computes the importance of each key. `values[i][k]` is the value of key k at point i,
/// `objective` the objective of point i, which is finite. Ranks stand in for values, because a few
/// points that diverge would be all of the variance. Groups are the values of a key, or fifths of
/// its range by number of points where it has more than six. Interactions of keys are not seen.
/// Sorted, the largest share first; empty with fewer than 4 points.
std::vector<Importance> importances(const std::vector<std::string>& keys,
                                    const std::vector<std::vector<std::string>>& values,
                                    const std::vector<double>& objective);

}  // namespace knead::report
