#pragma once

#include <filesystem>
#include <vector>

namespace knead::front {

/// Returns the recipes in a folder and below, sorted: files *.yaml and *.yml with the keys
/// `version` and `model` or `extends` at the top level, each in a line of its own. Hidden folders,
/// folders of runs, links to folders, and what cannot be read are left out. Throws knead::Error if
/// the folder cannot be read, or has no recipe.
std::vector<std::filesystem::path> recipes_in(const std::filesystem::path& folder);

}  // namespace knead::front
