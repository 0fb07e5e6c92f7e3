#pragma once

#include <string>
#include <vector>

namespace knead::front {

/// Returns the completions of the last word of a command line, which begins behind `knead`: verbs,
/// options and their values, keys of a recipe ("batch." for a block, "batch.size=" for a value),
/// and values of keys. Empty if the word is a file name.
std::vector<std::string> candidates(const std::vector<std::string>& words);

}  // namespace knead::front
