#pragma once

#include <cmath>
#include <cstdint>

namespace knead::data {

/// Returns a share in percent of a number of rows or tokens, rounded down: 29 % of 100 is 29,
/// although no double is 0.29.
inline std::uint64_t share_of(double percent, std::uint64_t whole) {
  const double share = percent * static_cast<double>(whole) / 100;
  const double nearest = std::round(share);
  // Both operations round by less than 2^-52 of the result.
  const bool is_whole = std::abs(share - nearest) <= nearest * 0x1p-50;
  return static_cast<std::uint64_t>(is_whole ? nearest : std::floor(share));
}

}  // namespace knead::data
