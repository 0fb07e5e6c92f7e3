#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/data.h"

namespace knead::data {

// These functions return what data.train determines for all sets that are read like it.

/// Returns pointers to the sets of one kind: the set itself, or sets of a mix.
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

/// Returns the classes of the training images: those of the first set that names classes, else
/// those of all sets, sorted.
std::vector<std::string> training_classes(recipe::DataSet train);

/// Returns height and width of the training images as the recipe names them, or else of the first
/// image. Throws std::out_of_range if no set has images.
std::vector<std::int64_t> training_size(recipe::DataSet train);

/// Returns the files of the training text, whose characters are the vocabulary of `tokenizer:
/// characters`.
std::vector<std::filesystem::path> training_texts(recipe::DataSet train);

}  // namespace knead::data
