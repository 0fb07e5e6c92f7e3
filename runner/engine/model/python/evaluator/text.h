#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// repr() of a float: the shortest text that means the same number.
std::string float_text(double value);

/// A text in quotes, as repr() writes it.
std::string quoted_text(std::string_view text);

/// A value by a format specification, "{value:SPEC}".
std::string formatted(Evaluator& evaluator, const Value& value, std::string_view spec);

/// "text %d" % value.
std::string percent_format(Evaluator& evaluator, const std::string& text, const Value& value);

/// "text {} {name:.2f}".format(…).
std::string brace_format(Evaluator& evaluator, const std::string& text, const Arguments& arguments);

/// A module and those below it, a line each.
std::string module_text(Evaluator& evaluator, const Object& module);

}  // namespace knead::engine::model
