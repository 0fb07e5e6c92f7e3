#include "runner/engine/model/python/numpy/float_digits.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <c10/util/Half.h>
#include <fmt/format.h>

#include "runner/engine/model/python/words/number_text.h"

namespace knead::engine::model::numpy {

namespace {

constexpr int kMostDigits = 8;  // behind the point, in arrays

/// Reads the digits and the exponent of "1.25e-05".
FloatDigits digits_in(std::string_view scientific) {
  const std::size_t e = scientific.find('e');
  FloatDigits made;
  for (const char letter : scientific.substr(0, e)) {
    if (letter != '.') made.digits += letter;
  }
  made.point = std::atoi(std::string(scientific.substr(e + 1)).c_str()) + 1;
  while (made.digits.size() > 1 && made.digits.back() == '0') made.digits.pop_back();
  if (made.digits == "0") made.point = 1;
  return made;
}

template <typename Number>
std::string scientific_of(Number number) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                 std::chars_format::scientific);
  return {buffer.data(), end.ptr};
}

/// Tries more and more digits, because the library has no shortest text of a float16.
std::string scientific_of_half(float number) {
  for (int digits = 0; digits < 5; ++digits) {
    std::string text = fmt::format("{:.{}e}", number, digits);
    if (static_cast<float>(c10::Half(std::strtof(text.c_str(), nullptr))) == number) return text;
  }
  return fmt::format("{:.5e}", number);
}

std::string without_zeros(std::string text) {
  while (text.back() == '0') text.pop_back();
  return text;
}

/// Returns the digits around the point: digits 15, point 1 give "1.5", point -1 gives "0.015".
std::string placed(const FloatDigits& number) {
  std::string digits = number.digits;
  if (number.point <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-number.point), '0') + digits;
  }
  const auto point = static_cast<std::size_t>(number.point);
  if (digits.size() < point) digits.append(point - digits.size(), '0');
  return digits.substr(0, point) + "." + digits.substr(point);
}

}  // namespace

FloatDigits shortest_digits(double number, c10::ScalarType type) {
  const double size = std::abs(number);
  if (type == c10::ScalarType::Half) return digits_in(scientific_of_half(static_cast<float>(size)));
  if (type == c10::ScalarType::Float) return digits_in(scientific_of(static_cast<float>(size)));
  return digits_in(scientific_of(size));
}

std::string positional_text(double number, c10::ScalarType type) {
  const std::string sign = std::signbit(number) ? "-" : "";
  const FloatDigits digits = shortest_digits(number, type);
  const auto behind = static_cast<int>(digits.digits.size()) - digits.point;
  if (behind <= kMostDigits) return sign + without_zeros(placed(digits));
  return sign + without_zeros(fmt::format("{:.{}f}", std::abs(number), kMostDigits));
}

std::string scientific_text(double number, c10::ScalarType type) {
  const std::string sign = std::signbit(number) ? "-" : "";
  FloatDigits digits = shortest_digits(number, type);
  if (digits.digits.size() > kMostDigits + 1) {
    digits = digits_in(fmt::format("{:.{}e}", std::abs(number), kMostDigits));
  }
  const int exponent = number == 0 ? 0 : digits.point - 1;
  return fmt::format("{}{}.{}e{}{:02}", sign, digits.digits.substr(0, 1), digits.digits.substr(1),
                     exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string number_text(double number, c10::ScalarType type) {
  if (type == c10::ScalarType::Double || !std::isfinite(number) || number == 0) {
    return float_text(number);
  }
  // Beyond its decimal digits a number is shown with an exponent.
  const double most = type == c10::ScalarType::Float ? 1e6 : 1e3;
  const std::string sign = number < 0 ? "-" : "";
  const FloatDigits digits = shortest_digits(number, type);
  if (std::abs(number) < most && std::abs(number) >= 1e-4) {
    const std::string text = without_zeros(placed(digits));
    return sign + text + (text.back() == '.' ? "0" : "");
  }
  const std::string more = digits.digits.size() > 1 ? "." + digits.digits.substr(1) : "";
  const int exponent = digits.point - 1;
  return fmt::format("{}{}{}e{}{:02}", sign, digits.digits.substr(0, 1), more,
                     exponent < 0 ? '-' : '+', std::abs(exponent));
}

}  // namespace knead::engine::model::numpy
