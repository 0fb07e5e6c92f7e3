#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

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
