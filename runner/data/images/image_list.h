#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"

namespace knead::data {

/// The images of a set in their order, and the class of each.
struct ImageList {
  std::filesystem::path folder;      // that the paths below are relative to
  std::vector<std::string> paths;    // "cat/0001.jpg"
  std::vector<std::int64_t> labels;  // by path; empty where a list of files names none
};

/// The images that a recipe names: those of a folder with a folder per class, in the order of the
/// classes' names and of images_below, or those that a csv file lists, in its order, with its
/// labels.
/// Throws knead::Error where there are none, or one has a class that is none of images.classes.
ImageList list_images(const recipe::Images& images);

/// The classes by number: those that the recipe names; else the folders, or the words of a list,
/// sorted. Nothing where a list has numbers as labels, or none.
std::vector<std::string> classes_of(const recipe::Images& images);

/// What the images are recognised by without reading all of them: how many, a digest of their names
/// and labels, and the sample digests of some that are spread over them.
std::string images_digest(const recipe::Images& images);

}  // namespace knead::data
