#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knead::engine::model {

/// A format specification, the text after the colon in "{value:>10.2f}":
/// `[[fill]align][sign][#][0][width][grouping][.precision][type]`. Zero means that a part is
/// absent. The grammar is that of Python's library reference, "Format Specification Mini-Language".
struct FormatSpec {
  std::string fill = " ";  // one UTF-8 character
  /// One of < > ^, or = to fill between the sign and the digits; 0 for the default of the type.
  char align = 0;
  /// One of + - and blank; 0 shows a sign for negative numbers only.
  char sign = 0;
  /// `#`: shows the prefix 0b, 0o or 0x.
  bool alternate = false;
  /// Least width in code points, at most 10,000.
  std::size_t width = 0;
  /// Separator of groups of digits: , or _.
  char grouping = 0;
  /// Digits of a float (after the point for e, f and %), most characters of a text; at most 10,000.
  /// Integers refuse it.
  std::optional<int> precision;
  char type = 0;
};

/// Parses a specification. `type` is the name of the value's type for messages. Throws Mistake
/// "Invalid format specifier 'TEXT' for object of type 'TYPE'", or another one for numbers that are
/// too large or missing.
FormatSpec parse_format(std::string_view text, std::string_view type);

/// Pads a text to the width; `align` applies if the specification has no alignment.
std::string padded(const FormatSpec& spec, const std::string& text, char align);
/// Format a number. formatted_integer() formats as a float if the type asks for it: {1:.2f} gives
/// 1.00. Throw Mistake for a type of other values.
std::string formatted_float(const FormatSpec& spec, double value);
std::string formatted_integer(const FormatSpec& spec, std::int64_t value);
/// Throws Mistake "Unknown format code 'd' for object of type 'str'".
[[noreturn]] void unknown_format(const FormatSpec& spec, std::string_view type);

}  // namespace knead::engine::model
