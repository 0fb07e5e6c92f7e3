#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The length of a number literal, or an error in it. The texts refer to static storage.
struct ScannedNumber {
  std::size_t length = 0;  // bytes; up to the error if there is one
  std::string_view wrong;  // a sentence without the place; empty: no error
  std::string_view remedy;
};

/// Measures the number literal at the beginning of a text, which starts with a digit or with a dot
/// and a digit: 5 bytes of "1_000)", 4 of "1e-3". A keyword may follow directly, as in `1if x else
/// 2`; another letter is an error.
ScannedNumber scan_number(std::string_view text);

/// Returns the value of a literal that scan_number() accepted, as Integer, Float or Imaginary:
/// "0x_ff" is Integer{255}, "1e3" is Float{1000}, "2j" is Imaginary{2}. An integer beyond 64 bits
/// has no value; a float is rounded to the nearest double.
Expression::Kind number_value(std::string_view number);

}  // namespace knead::syntax
