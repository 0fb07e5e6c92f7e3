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
  // The first that ends behind it: one without weight ends where the one before it does, and is
  // never drawn. Rounding may reach the end of the sum, but not beyond the last one with weight.
  const double at = std::min(share * ends_.back(), std::nextafter(ends_.back(), 0));
  return static_cast<std::uint64_t>(std::upper_bound(ends_.begin(), ends_.end(), at) -
                                    ends_.begin());
}

}  // namespace knead::plan
