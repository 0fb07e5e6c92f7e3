#pragma once

#include <string>
#include <string_view>

#include "recipe.h"

namespace knead::run {

/// Returns the text that a user reads before a run: a line per part of the resolved recipe.
std::string summary(const recipe::Recipe& recipe);

/// Returns one line of a summary: the name in its column, then the words, which are wrapped to
/// further lines if they are long.
std::string summary_line(std::string_view name, const std::string& words);

}  // namespace knead::run
