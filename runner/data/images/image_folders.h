#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knead::data {

/// The folders in a folder, links to some among them, sorted by their names; hidden ones do not
/// count. Throws knead::Error where there are none.
std::vector<std::string> folders_in(const std::filesystem::path& path);

/// The images in a folder and in the folders below it, through links too, as paths relative to it,
/// in the order of torchvision's ImageFolder: folder by folder, these sorted by their whole paths,
/// the images of each by their names. Hidden files and folders do not count. Throws knead::Error
/// for an image of a kind that is not read, and for a link that leads back to a folder above it.
std::vector<std::string> images_below(const std::filesystem::path& path);

}  // namespace knead::data
