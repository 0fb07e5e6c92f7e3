#pragma once

#include <string>
#include <string_view>

#include "recipe.h"

namespace knead::engine {

/// What a resolved recipe asks for, a line for each part, as a person reads it before a run.
std::string summary(const recipe::Recipe& recipe);

/// One line of it: a name in its column, and what is said of it; more lines where that is long.
std::string summary_line(std::string_view name, const std::string& words);

}  // namespace knead::engine
