#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knead::data {

/// Returns the names of the folders in a folder, including links to folders, sorted by bytes and
/// without hidden ones. Throws knead::Error if there are none, or if the folder cannot be read.
std::vector<std::string> folders_in(const std::filesystem::path& path);

/// Returns whether a path has the ending of an image that is read: jpg, jpeg or png.
bool is_image(const std::filesystem::path& path);

/// Returns whether a folder holds images and no folder, so that nothing names their classes. Throws
/// knead::Error if it cannot be read.
bool is_flat(const std::filesystem::path& folder);

/// Returns the images in a folder and in all folders below, also through links, as paths relative
/// to the folder and without hidden ones. The ending of a name tells an image, in small or large
/// letters: jpg, jpeg or png; the files are not opened. The order is that of torchvision's
/// ImageFolder: folders sorted by their whole paths, the images of each folder by their names. The
/// list may be empty.
///
/// Throws knead::Error for an image of a format that torchvision reads and knead does not, for a
/// link that leads back to a folder above it, and for a folder that cannot be read.
std::vector<std::string> images_below(const std::filesystem::path& path);

}  // namespace knead::data
