#pragma once

#include <filesystem>
#include <vector>

namespace knead::data {

/// Expands the paths of a recipe to files, in order. A pattern (`*`, `?`, `[…]`) gives the files
/// that match, sorted by the bytes of their paths. `{000..127}` counts, with as many digits as its
/// first number has. Throws knead::Error for a pattern without a match and for a range of too many
/// files. Does not check that a file without a pattern exists.
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& paths);

}  // namespace knead::data
