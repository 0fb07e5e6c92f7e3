#pragma once

#include <vector>

#include <rapidcheck.h>

#include "runner/sweep/search/space.h"

namespace knead::tests {

inline sweep::Range range_of(double low, double high, bool is_log = false, bool is_integer = false,
                             std::size_t points = 0) {
  return {.low = low, .high = high, .is_log = is_log, .is_integer = is_integer, .points = points};
}

/// A dimension of each kind and of any size.
inline sweep::Dimension any_dimension() {
  const auto points = static_cast<std::size_t>(*rc::gen::inRange(1, 9));
  const bool is_log = *rc::gen::arbitrary<bool>();
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return sweep::Choices{points};
    case 1: {
      const int low = is_log ? *rc::gen::inRange(1, 1000) : *rc::gen::inRange(-1000, 1000);
      return range_of(low, low + *rc::gen::inRange(0, 2000), is_log, true, points);
    }
    default: {
      // Hundredths of ten powers, so that ranges are wide, narrow and far from 0.
      const double scale = *rc::gen::element(1e-6, 1e-2, 1.0, 1e5);
      const int low = is_log ? *rc::gen::inRange(1, 1000) : *rc::gen::inRange(-1000, 1000);
      return range_of(low * scale, (low + *rc::gen::inRange(0, 5000)) * scale, is_log, false,
                      points);
    }
  }
}

/// A space of up to 5 dimensions.
inline sweep::Space any_space() {
  sweep::Space space;
  for (int count = *rc::gen::inRange(1, 6); count > 0; --count) space.push_back(any_dimension());
  return space;
}

/// Whether each coordinate belongs to its dimension.
inline bool is_in(const sweep::Space& space, const sweep::Point& point) {
  if (point.size() != space.size()) return false;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const double at = point[i];
    const bool is_whole = at == static_cast<double>(static_cast<long long>(at));
    if (const auto* range = std::get_if<sweep::Range>(&space[i])) {
      if (!(at >= range->low && at <= range->high) || (range->is_integer && !is_whole))
        return false;
    } else if (!(is_whole && at >= 0 &&
                 at < static_cast<double>(std::get<sweep::Choices>(space[i]).count))) {
      return false;
    }
  }
  return true;
}

}  // namespace knead::tests
