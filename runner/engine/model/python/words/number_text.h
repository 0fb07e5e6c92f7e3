#pragma once

#include <string>
#include <string_view>

namespace knead::engine::model {

/// Returns repr() of a float: the shortest text that reads back as the same number, with an
/// exponent below 1e-4 and from 1e16 on: 0.1, 3.0, 1e-05, nan.
std::string float_text(double value);

/// Returns a text without ASCII white space at both ends; a view into `text`.
std::string_view stripped(std::string_view text);

/// Implements float(text): " 1e3 " gives 1000, "inf" infinity. Throws Mistake if the text is not a
/// decimal number.
double float_of_text(const std::string& text);

/// Returns a text in quotes with escapes, as repr() does: in single quotes, or in double quotes if
/// it contains single and no double ones. Characters beyond ASCII stay as they are.
std::string quoted_text(std::string_view text);

}  // namespace knead::engine::model
