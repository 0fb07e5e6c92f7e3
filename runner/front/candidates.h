#pragma once

#include <string>
#include <vector>

namespace knead::front {

/// What a shell may offer for the last of the words behind `knead` on a command line that is being
/// written: verbs, options and their values, keys of a recipe ("batch." goes on, "batch.size="
/// wants a value) and what a key can be set to. Empty where a file is wanted.
std::vector<std::string> candidates(const std::vector<std::string>& words);

}  // namespace knead::front
