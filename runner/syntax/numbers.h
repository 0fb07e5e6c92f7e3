#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// A number at the beginning of a text, or what is wrong with it.
struct ScannedNumber {
  std::size_t length = 0;  // up to where it is wrong, if it is
  std::string_view wrong;  // a sentence without the place; empty: nothing is
  std::string_view remedy;
};

/// Measures the number that a text begins with: a digit, or a dot and a digit.
ScannedNumber scan_number(std::string_view text);

/// Whether a number ends in j.
bool is_imaginary(std::string_view number);

/// The value of a number as it is written, without j.
Expression::Kind number_value(std::string_view number);

}  // namespace knead::syntax
