#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/data.h"

namespace knead::data {

// These functions return what data.train determines for all sets that are read like it.

/// Returns pointers to the sets of one kind: the set itself, or sets of a mix in their order. Empty
/// if there are none. The pointers refer into `set`, and are valid until it is changed or
/// destroyed.
template <class Kind>
std::vector<Kind*> all_of_kind(recipe::DataSet& set) {
  std::vector<Kind*> all;
  if (auto* one = std::get_if<Kind>(&set)) all.push_back(one);
  if (auto* mix = std::get_if<recipe::Mix>(&set)) {
    for (recipe::MixMember& member : mix->of) {
      if (auto* one = std::get_if<Kind>(&member)) all.push_back(one);
    }
  }
  return all;
}

/// Returns the classes of the training images by number: those of the first set that names classes,
/// else those of all sets, sorted and without duplicates. Returns an empty list if data.train has
/// no images, or only lists of images whose labels are numbers or missing. Reads folders and lists.
/// Throws knead::Error if they cannot be read.
std::vector<std::string> training_classes(recipe::DataSet train);

/// Returns height and width of the training images as the recipe names them, or else of the first
/// image, whose header is read. In a mix the first set of images counts. Throws std::out_of_range
/// if no set has images, and knead::Error if the first image cannot be read.
std::vector<std::int64_t> training_size(recipe::DataSet train);

/// Returns the files of the training text, whose characters are the vocabulary of `tokenizer:
/// characters`. In a mix it is the text of all its sets; the list is empty if there is none. Throws
/// knead::Error as named_files() does.
std::vector<std::filesystem::path> training_texts(recipe::DataSet train);

}  // namespace knead::data
