#pragma once

#include <cstdint>
#include <string>

// The functions of this header format numbers as short texts of nearly constant length.

namespace knead::track {

/// Formats a number with four significant digits, or its whole part if that has more: "0.2314",
/// "2.303", "12345", "1.235e-05", "NaN". From 1e7 on the exponent is written.
std::string short_number(double value);

/// Formats a count or a rate of at least 0 with two to four digits and a decimal prefix: "3.2",
/// "812", "12.4k", "1.24M".
std::string short_count(double value);

/// Formats all digits of a count in groups of three: "812", "17,226".
std::string grouped(std::uint64_t count);

/// Formats a duration of at least 0, rounded to the nearest unit, below 10 s to tenths: "3.2 s",
/// "38 s", "12 min", "3 h 20 min", "2 d 4 h".
std::string short_duration(double seconds);

}  // namespace knead::track
