#pragma once

#include <string>
#include <string_view>

#include "recipe.h"

namespace knead::run {

/// Returns the text that a user reads before a run: a line per part of the resolved recipe, each
/// with a newline. Parts that have their usual values, such as a precision of fp32, have none.
/// Paths are relative to the current folder where that is shorter.
std::string summary(const recipe::Recipe& recipe);

/// Returns one line of a summary: the name in its column, then the words, which are wrapped at
/// blanks to further lines from 100 columns on. Ends with a newline.
std::string summary_line(std::string_view name, const std::string& words);

}  // namespace knead::run
