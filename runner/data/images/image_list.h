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

/// Lists the images that a recipe names, without opening them. For a folder with a folder per
/// class: by the name of the class, then as images_below() orders them. For a csv file (by its
/// ending), with a path and a label or only a path in each row: in the order of the file, with
/// paths relative to the folder of the file. A first row whose first cell is path, file, filename
/// or image is a header. Where the recipe names the classes, also for one image, and for a folder
/// of images without folders: without labels.
///
/// Throws knead::Error if there are no images, if a class is not in images.classes, or if a row of
/// a list has another number of columns than the first or more than two.
ImageList list_images(const recipe::Images& images);

/// Returns the names of the classes by number: those of the recipe, else the sorted names of the
/// folders or the sorted words of a list. Returns an empty list if the labels of a list are whole
/// numbers, which are then the classes, or missing. Throws knead::Error if the folder or the list
/// cannot be read.
std::vector<std::string> classes_of(const recipe::Images& images);

/// Returns whether the classes are the labels of a list, which are whole numbers, and have no
/// names. Throws knead::Error if the list cannot be read.
bool labels_are_numbers(const recipe::Images& images);

/// Returns a text that identifies the images without reading all of them: their number, a digest of
/// their names and labels, and the sample digests of 16 to 31 of them, evenly spread (of all if
/// there are fewer than 16). Throws knead::Error as list_images() does, or if one of these images
/// cannot be read.
std::string images_digest(const recipe::Images& images);

}  // namespace knead::data
