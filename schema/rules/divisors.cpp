#include "schema/rules/divisors.h"

namespace knead::schema {

std::int64_t nearest_divisor(std::int64_t of, std::int64_t to) {
  // The loop ends, because 1 divides every number.
  for (std::int64_t distance = 0;; ++distance) {
    if (to - distance >= 1 && of % (to - distance) == 0) return to - distance;
    if (to + distance <= of && of % (to + distance) == 0) return to + distance;
  }
}

}  // namespace knead::schema
