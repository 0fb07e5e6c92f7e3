#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "recipe/images.h"

namespace knead::data {

/// Lists the images of a set in order, with the class of each.
struct ImageList {
  std::filesystem::path folder;      // base of the relative paths
  std::vector<std::string> paths;    // "cat/0001.jpg"
  std::vector<std::int64_t> labels;  // by path; empty if a list of files has no labels
};

/// Lists the images that a recipe names. For a folder with a folder per class: by the name of the
/// class, then as images_below() orders them. For a csv file: in the order of the file and with its
/// labels. Throws knead::Error if there are no images, or if a class is not in images.classes.
ImageList list_images(const recipe::Images& images);

/// Returns the names of the classes by number: those of the recipe, else the sorted names of the
/// folders or the sorted words of a list. Returns an empty list if the labels of a list are numbers
/// or missing.
std::vector<std::string> classes_of(const recipe::Images& images);

/// Returns a text that identifies the images without reading all of them: their number, a digest of
/// their names and labels, and the sample digests of some of them, evenly spread.
std::string images_digest(const recipe::Images& images);

}  // namespace knead::data
