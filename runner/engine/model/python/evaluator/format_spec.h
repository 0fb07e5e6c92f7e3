#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knead::engine::model {

/// A format specification, the text after the colon in "{value:>10.2f}":
/// `[[fill]align][sign][#][0][width][grouping][.precision][type]`. Zero means that a part is
/// absent.
struct FormatSpec {
  std::string fill = " ";  // one UTF-8 character
  char align = 0;          // < > = ^
  char sign = 0;
  bool alternate = false;
  std::size_t width = 0;
  char grouping = 0;
  std::optional<int> precision;
  char type = 0;
};

/// Parses a specification. Throws Mistake "Invalid format specifier 'TEXT' for object of type
/// 'TYPE'".
FormatSpec parse_format(std::string_view text, std::string_view type);

/// Pads a text to the width; `align` applies if the specification has no alignment.
std::string padded(const FormatSpec& spec, const std::string& text, char align);
std::string formatted_float(const FormatSpec& spec, double value);
std::string formatted_integer(const FormatSpec& spec, std::int64_t value);
/// Throws Mistake "Unknown format code".
[[noreturn]] void unknown_format(const FormatSpec& spec, std::string_view type);

}  // namespace knead::engine::model
