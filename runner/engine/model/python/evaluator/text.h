#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/python/evaluator/evaluator.h"

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

/// Formats a value by a format specification: "{value:SPEC}". An empty one gives str(value). Throws
/// Mistake for a wrong one and for values other than numbers, texts and tensors of one number.
std::string formatted(Evaluator& evaluator, const Value& value, std::string_view spec);

/// Implements "text %d" % value; a tuple gives one value for each field. Throws Mistake if the
/// number or the types of the values do not fit. Names in parentheses are not supported.
std::string percent_format(Evaluator& evaluator, const std::string& text, const Value& value);

/// Implements "text {} {name:.2f} {0.attribute}".format(…). Throws Mistake for a missing argument,
/// a single brace, and an index in brackets.
std::string brace_format(Evaluator& evaluator, const std::string& text, const Arguments& arguments);

/// Returns repr() of a module: its class and its submodules, one per line, indented by two blanks
/// for each level. Settings of layers are not shown.
std::string module_text(Evaluator& evaluator, const Object& module);

}  // namespace knead::engine::model
