#pragma once

#include <cstdint>

namespace knead::schema {

/// Returns the divisor of `of` that is nearest to `to`, of two the smaller one. Requires 1 <= to <=
/// of.
std::int64_t nearest_divisor(std::int64_t of, std::int64_t to);

}  // namespace knead::schema
