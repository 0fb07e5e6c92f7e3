#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Returns repr() of a float: the shortest text that reads back as the same number.
std::string float_text(double value);

/// Returns a text without white space at both ends.
std::string_view stripped(std::string_view text);

/// Implements float(text). Throws Mistake if the text is no number.
double float_of_text(const std::string& text);

/// Returns a text in quotes with escapes, as repr() does.
std::string quoted_text(std::string_view text);

/// Formats a value by a format specification: "{value:SPEC}". Throws Mistake for a wrong one.
std::string formatted(Evaluator& evaluator, const Value& value, std::string_view spec);

/// Implements "text %d" % value.
std::string percent_format(Evaluator& evaluator, const std::string& text, const Value& value);

/// Implements "text {} {name:.2f}".format(…).
std::string brace_format(Evaluator& evaluator, const std::string& text, const Arguments& arguments);

/// Returns repr() of a module: its class and its submodules, one per line.
std::string module_text(Evaluator& evaluator, const Object& module);

}  // namespace knead::engine::model
