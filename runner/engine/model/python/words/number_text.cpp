#include "runner/engine/model/python/words/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "runner/engine/model/python/words/format_spec.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {

namespace {

/// The significant digits of a number, without the point, and the position of the point among them.
struct Digits {
  std::string digits;
  int point = 0;
};

/// Reads digits and exponent of a number in scientific notation.
Digits digits_of(std::string_view scientific) {
  const std::size_t e = scientific.find('e');
  Digits made;
  for (const char c : scientific.substr(0, e)) {
    if (c != '.') made.digits += c;
  }
  made.point = std::stoi(std::string(scientific.substr(e + 1))) + 1;
  while (made.digits.size() > 1 && made.digits.back() == '0') made.digits.pop_back();
  return made;
}

std::string scientific(const Digits& number) {
  std::string text = number.digits.substr(0, 1);
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  const int exponent = number.point - 1;
  return text + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string positional(const Digits& number) {
  const auto size = static_cast<int>(number.digits.size());
  if (number.point <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-number.point), '0') + number.digits;
  }
  if (number.point >= size) {
    return number.digits + std::string(static_cast<std::size_t>(number.point - size), '0') + ".0";
  }
  const auto point = static_cast<std::size_t>(number.point);
  return number.digits.substr(0, point) + "." + number.digits.substr(point);
}

/// Returns the shortest text that reads back as the same number. Like Python, uses an exponent
/// outside 1e-4 … 1e16.
std::string shortest(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  const Digits number =
      digits_of({buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())});
  return number.point > 16 || number.point <= -4 ? scientific(number) : positional(number);
}

std::string printed(char type, int precision, double value) {
  return fmt::format(fmt::runtime(fmt::format("{{:.{}{}}}", precision, type)), value);
}

/// Formats with a precision but without a type: this many significant digits, always shown as a
/// float.
std::string rounded(int precision, double value) {
  const Digits number = digits_of(printed('e', std::max(precision, 1) - 1, value));
  const bool exponent = number.point <= -4 || number.point > std::max(precision, 1) - 1;
  return exponent ? scientific(number) : positional(number);
}

/// Inserts a separator between groups of digits before the point.
std::string grouped(const std::string& digits, char separator, std::size_t size) {
  const std::size_t end =
      std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string text;
  for (std::size_t i = 0; i < end; ++i) {
    if (i > 0 && (end - i) % size == 0) text += separator;
    text += digits[i];
  }
  return text + digits.substr(end);
}

/// Adds sign, fill and grouping to the digits of a number.
std::string finished(const FormatSpec& spec, bool negative, const std::string& prefix,
                     std::string digits) {
  const bool binary = spec.type == 'x' || spec.type == 'X' || spec.type == 'o' || spec.type == 'b';
  const std::size_t size = binary ? 4 : 3;
  std::string sign = negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
  sign += prefix;
  if (spec.grouping != 0) {
    // Zeros that fill the width are grouped like digits, so they are added before grouping.
    std::string text = grouped(digits, spec.grouping, size);
    while (spec.fill == "0" && spec.align == '=' && sign.size() + text.size() < spec.width) {
      digits.insert(0, "0");
      text = grouped(digits, spec.grouping, size);
    }
    digits = text;
  }
  if (spec.align != '=') return padded(spec, sign + digits, '>');
  const std::size_t used = sign.size() + digits.size();
  const std::size_t fill = spec.width > used ? spec.width - used : 0;
  std::string filling;
  for (std::size_t i = 0; i < fill; ++i) filling += spec.fill;
  return sign + filling + digits;
}

}  // namespace

std::string_view stripped(std::string_view text) {
  static constexpr std::string_view kSpace = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

double float_of_text(const std::string& text) {
  const std::string digits(stripped(text));
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  // strtod() accepts hexadecimal numbers, but float() does not.
  const bool hexadecimal = digits.find_first_of("xX") != std::string::npos;
  if (digits.empty() || *end != '\0' || hexadecimal)
    throw Mistake("could not convert string to float: " + quoted_text(text));
  return number;
}

std::string quoted_text(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (c == '\r') {
      result += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + quote;
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  return std::signbit(value) ? "-" + shortest(-value) : shortest(value);
}

std::string formatted_float(const FormatSpec& spec, double value) {
  const double size = std::abs(value);
  const bool negative = std::signbit(value) && !std::isnan(value);
  const int precision = spec.precision ? *spec.precision : 6;
  std::string digits;
  if (!std::isfinite(value)) {
    digits = std::isnan(value) ? "nan" : "inf";
    return finished(spec, negative, "", digits);
  }
  switch (spec.type) {
    case 0: digits = spec.precision ? rounded(precision, size) : float_text(size); break;
    case '%': digits = printed('f', precision, size * 100) + "%"; break;
    case 'n': digits = printed('g', precision, size); break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': digits = printed(spec.type, precision, size); break;
    default: unknown_format(spec, "float");
  }
  return finished(spec, negative, "", digits);
}

std::string formatted_integer(const FormatSpec& spec, std::int64_t value) {
  // f"{3:.1f}" is valid in Python: an int is formatted as a float by these types.
  static constexpr std::string_view kOfFloats = "eEfFgG%";
  if (spec.type != 0 && kOfFloats.find(spec.type) != std::string_view::npos) {
    return formatted_float(spec, static_cast<double>(value));
  }
  if (spec.precision) throw Mistake("Precision not allowed in integer format specifier");
  const auto size =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  switch (spec.type) {
    case 0:
    case 'd':
    case 'n': return finished(spec, value < 0, "", std::to_string(size));
    case 'b':
      return finished(spec, value < 0, spec.alternate ? "0b" : "", fmt::format("{:b}", size));
    case 'o':
      return finished(spec, value < 0, spec.alternate ? "0o" : "", fmt::format("{:o}", size));
    case 'x':
      return finished(spec, value < 0, spec.alternate ? "0x" : "", fmt::format("{:x}", size));
    case 'X':
      return finished(spec, value < 0, spec.alternate ? "0X" : "", fmt::format("{:X}", size));
    default: unknown_format(spec, "int");
  }
}

}  // namespace knead::engine::model
