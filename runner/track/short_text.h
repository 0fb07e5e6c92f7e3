#pragma once

#include <cstdint>
#include <string>

/// Numbers as short as a person wants them on a line, in texts of nearly the same length each.

namespace knead::track {

/// Four digits, or the whole part: "0.2314", "2.303", "12345", "1.235e-05", "NaN".
std::string short_number(double value);

/// "3.2", "812", "12.4k", "1.24M": how many a second.
std::string short_count(double value);

/// "812", "17,226": all of a count.
std::string grouped(std::uint64_t count);

/// "38 s", "12 min", "3 h 20 min", "2 d 4 h": rounded to the nearest; below 10 s with a tenth.
std::string short_duration(double seconds);

}  // namespace knead::track
