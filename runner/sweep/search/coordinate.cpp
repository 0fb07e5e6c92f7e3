#include "runner/sweep/search/coordinate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "runner/sweep/search/elementary.h"

namespace knead::sweep {
namespace {

constexpr int kDigits = 7;
constexpr int kMostDigits = 17;

/// The exponent of a number other than 0 in scientific notation.
int decimal_exponent(double number) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
  const std::string_view said(text, static_cast<std::size_t>(end - text));
  const std::size_t sign = said.find('e') + 1;
  int exponent = 0;
  std::from_chars(text + sign + 1, end, exponent);
  return said[sign] == '-' ? -exponent : exponent;
}

/// The number with this many significant digits.
double rounded(double number, int digits) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::scientific, digits - 1)
          .ptr;
  double result = 0;
  std::from_chars(text, end, result);
  return result;
}

/// Describes the scale on which a range is divided evenly: its numbers or their logarithms. The
/// scale of whole numbers begins half a unit below the first and ends half a unit above the last.
struct Scale {
  bool is_log = false;
  double low = 0;
  double high = 0;

  explicit Scale(const Range& range) : is_log(range.is_log) {
    const double margin = range.is_integer ? 0.5 : 0;
    low = on(range.low - margin);
    high = on(range.high + margin);
  }

  double on(double number) const { return is_log ? natural_log(number) : number; }

  double number_at(double share) const {
    const double place = low + share * (high - low);
    return is_log ? exponential(place) : place;
  }

  double share_of(double number) const {
    return high > low ? std::clamp((on(number) - low) / (high - low), 0.0, 1.0) : 0.5;
  }
};

double at(const Choices& choices, double share) {
  const auto count = static_cast<double>(choices.count);
  return std::min(std::floor(share * count), count - 1);
}

double at(const Range& range, double share) {
  const double number = Scale(range).number_at(share);
  if (!range.is_integer) return short_number(range, number);
  return std::clamp(std::floor(number + 0.5), range.low, range.high);
}

Part part(const Choices& choices, double coordinate) {
  const auto count = static_cast<double>(choices.count);
  const double index = std::clamp(std::floor(coordinate), 0.0, count - 1);
  return {index / count, (index + 1) / count};
}

Part part(const Range& range, double coordinate) {
  const Scale scale(range);
  const double number = std::clamp(coordinate, range.low, range.high);
  if (range.is_integer) return {scale.share_of(number - 0.5), scale.share_of(number + 0.5)};
  const double share = scale.share_of(number);
  return {share, share};
}

}  // namespace

double coordinate_at(const Dimension& dimension, double share) {
  return std::visit([&](const auto& kind) { return at(kind, share); }, dimension);
}

Part part_of(const Dimension& dimension, double coordinate) {
  return std::visit([&](const auto& kind) { return part(kind, coordinate); }, dimension);
}

bool is_discrete(const Dimension& dimension) {
  const auto* range = std::get_if<Range>(&dimension);
  return range == nullptr || range->is_integer;
}

double short_number(const Range& range, double number) {
  const double width = range.high - range.low;
  if (number == 0 || !(width > 0)) return std::clamp(number, range.low, range.high);
  const int above = decimal_exponent(number) - decimal_exponent(width);
  const int digits = kDigits + (range.is_log ? std::max(above, 0) : above);
  // Less than one digit: the number is nearer to 0 than the decimal place.
  const double result = digits < 1 ? 0 : rounded(number, std::min(digits, kMostDigits));
  return std::clamp(result, range.low, range.high);
}

}  // namespace knead::sweep
