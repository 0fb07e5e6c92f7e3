#pragma once

#include <filesystem>
#include <vector>

namespace knead::data {

/// The files that paths of a recipe name, in their order; those that a pattern (`*`, `?`, `[…]`)
/// matches by the bytes of their names. `{000..127}` counts, with as many digits as its first
/// number has. Throws knead::Error for a pattern that matches nothing, and for a range of very
/// many. Whether a file that is named without a pattern is there is seen when it is opened.
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& paths);

}  // namespace knead::data
