#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The length of a number literal, or an error in it.
struct ScannedNumber {
  std::size_t length = 0;  // bytes; up to the error if there is one
  std::string_view wrong;  // a sentence without the place; empty: no error
  std::string_view remedy;
};

/// Measures the number literal at the beginning of a text, which starts with a digit or with a dot
/// and a digit.
ScannedNumber scan_number(std::string_view text);

/// Returns whether a number literal ends in j.
bool is_imaginary(std::string_view number);

/// Returns the value of a number literal without j, as Integer or Float.
Expression::Kind number_value(std::string_view number);

}  // namespace knead::syntax
