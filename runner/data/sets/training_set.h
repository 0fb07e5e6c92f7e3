#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"

namespace knead::data {

// What data.train decides for every set that is read like it.

/// What of a kind there is in a set: itself, or some of the sets of a mix.
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

/// The classes of the images that are trained on: those that a set writes, else those of all of
/// them, sorted.
std::vector<std::string> training_classes(recipe::DataSet train);

/// Height and width of the images that are trained on: those that are written, or those of the
/// first image. There must be images.
std::vector<std::int64_t> training_size(recipe::DataSet train);

/// The files whose characters are the vocabulary of tokenizer: characters.
std::vector<std::filesystem::path> training_texts(recipe::DataSet train);

}  // namespace knead::data
