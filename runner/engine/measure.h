#pragma once

#include <string>

#include "recipe.h"

namespace knead::engine {

/// Reads the data of a resolved recipe and says how many samples and steps the run has, as further
/// lines of the summary. Throws knead::Error for what is wrong with a file, before anything is
/// trained.
std::string measure(const recipe::Recipe& recipe);

}  // namespace knead::engine
