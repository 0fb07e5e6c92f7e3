#include "runner/sweep/search/random.h"

#include <cmath>

#include "runner/plan/random.h"
#include "runner/sweep/search/coordinate.h"

namespace knead::sweep {

Point random_point(const Space& space, std::uint64_t seed, std::uint64_t number) {
  Point point;
  for (const Dimension& dimension : space) {
    const std::uint64_t bits = plan::random_bits(seed, plan::Purpose::sweep_point,
                                                 static_cast<std::uint32_t>(point.size()), number);
    point.push_back(coordinate_at(dimension, std::ldexp(static_cast<double>(bits >> 11), -53)));
  }
  return point;
}

}  // namespace knead::sweep
