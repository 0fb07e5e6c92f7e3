#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knead::data {

/// Returns the folders in a folder, including links to folders, sorted by name and without hidden
/// ones. Throws knead::Error if there are none.
std::vector<std::string> folders_in(const std::filesystem::path& path);

/// Returns the images in a folder and in all folders below, also through links, as paths relative
/// to the folder and without hidden ones. The order is that of torchvision's ImageFolder: folders
/// sorted by their whole paths, the images of each folder by their names. Throws knead::Error for
/// an image of a format that is not read, and for a link that leads back to a folder above it.
std::vector<std::string> images_below(const std::filesystem::path& path);

}  // namespace knead::data
