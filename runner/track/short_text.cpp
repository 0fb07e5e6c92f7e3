#include "runner/track/short_text.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace knead::track {
namespace {

/// Formats a number with one decimal below 10, else without: "5.6", "34", "812".
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
}

std::string two_units(long whole, long parts_in_one, std::string_view unit, std::string_view part) {
  const long big = whole / parts_in_one;
  const long small = whole % parts_in_one;
  return small == 0 ? fmt::format("{} {}", big, unit)
                    : fmt::format("{} {} {} {}", big, unit, small, part);
}

}  // namespace

std::string short_number(double value) {
  if (std::isnan(value)) return "NaN";
  const double size = std::abs(value);
  return size >= 999.95 && size < 1e7 ? fmt::format("{:.0f}", value)
                                      : fmt::format("{:#.4g}", value);
}

std::string short_count(double value) {
  static constexpr std::array<std::string_view, 4> kPrefixes{"k", "M", "G", "T"};
  // This bound and those below lie where rounding would add a digit: 9999.6 would become "10000".
  if (value < 9999.5) return three_digits(value);
  std::size_t prefix = 0;
  double scaled = value / 1000;
  for (; scaled >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) scaled /= 1000;
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", scaled, decimals, kPrefixes[prefix]);
}

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string short_duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
  const long minutes = std::lround(seconds / 60);
  if (minutes < 60) return fmt::format("{} min", minutes);
  if (minutes < 24 * 60) return two_units(minutes, 60, "h", "min");
  return two_units(std::lround(seconds / 3600), 24, "d", "h");
}

}  // namespace knead::track
