#include "schema/document/byte_words.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace knead::schema {

/// The limits 999.5 and 9.95 are those at which rounding would give "1000" or "10.0".
std::string byte_words(double bytes) {
  static constexpr std::array<std::string_view, 5> kUnits{"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 999.5) return fmt::format("{:.0f} B", bytes);
  std::size_t unit = 0;
  double scaled = bytes / 1000;
  for (; scaled >= 999.5 && unit + 1 < kUnits.size(); ++unit) scaled /= 1000;
  return fmt::format("{:.{}f} {}", scaled, scaled < 9.95 ? 1 : 0, kUnits[unit]);
}

}  // namespace knead::schema
