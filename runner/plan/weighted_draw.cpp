#include "runner/plan/weighted_draw.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knead::plan {

WeightedDraw::WeightedDraw(const std::vector<double>& weights) : ends_(weights.size()) {
  std::partial_sum(weights.begin(), weights.end(), ends_.begin());
}

std::uint64_t WeightedDraw::operator()(std::uint64_t bits) const {
  const double share = std::ldexp(static_cast<double>(bits >> 11), -53);  // [0, 1)
  // upper_bound returns the first index whose sum exceeds `at`. An index without weight has the
  // same sum as the one before it and is never drawn. The minimum keeps a product that is rounded
  // up to the total below it.
  const double at = std::min(share * ends_.back(), std::nextafter(ends_.back(), 0));
  return static_cast<std::uint64_t>(std::upper_bound(ends_.begin(), ends_.end(), at) -
                                    ends_.begin());
}

}  // namespace knead::plan
