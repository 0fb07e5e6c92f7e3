#pragma once

#include <string>
#include <vector>

namespace knead::front {

/// Returns the completions of the last word of a command line, which begins behind `knead`: verbs,
/// options and their values, keys of a recipe ("batch." for a block, "batch.size=" for a value),
/// and values of keys. Keys are completed one level at a time, and, except for `explain`, only
/// behind the name of a recipe. {"run", "a.yaml", "batch.s"} gives "batch.size=". Keys and their
/// values are sorted; verbs and options keep the order of their tables.
///
/// Empty if the word is a file name, which the shell completes itself. Never throws for what the
/// user has typed, and reads no file.
std::vector<std::string> candidates(const std::vector<std::string>& words);

}  // namespace knead::front
