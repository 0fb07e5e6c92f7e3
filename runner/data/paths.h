#pragma once

#include <filesystem>
#include <vector>

namespace knead::data {

/// The files that paths of a recipe name, in their order; those that a pattern (`*`, `?`, `[…]`)
/// matches by the bytes of their names. Throws knead::Error for a pattern that matches nothing.
/// Whether a file that is named without a pattern is there is seen when it is opened.
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& paths);

}  // namespace knead::data
