#pragma once

#include <string>

#include "recipe.h"

namespace knead::engine {

/// What a resolved recipe asks for, a line for each part, as a person reads it before a run.
std::string summary(const recipe::Recipe& recipe);

}  // namespace knead::engine
