#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/bpe/tokenizer.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/predictions/tally.h"
#include "runner/track/predictions.h"

namespace knead::engine {

/// Names what is needed to show the samples of a set. Borrowed.
struct ShownSet {
  const std::string& name;
  const data::Set& set;
  /// The indices of the fields that the model takes, in the order of forward's parameters.
  std::vector<std::size_t> inputs;
  /// Of sets of text; may be null.
  const data::Tokenizer* tokenizer;
  const recipe::Recipe& recipe;
};

/// Returns a tally in words and pictures. Reads the worst and the best samples once more. Throws
/// knead::Error if they cannot be read.
track::Predictions shown(const PredictionTally& tally, std::uint64_t step, const ShownSet& set);

/// Returns the names of the classes of a recipe's target, in the order of their numbers; empty if
/// they are just numbers.
std::vector<std::string> class_names(const recipe::Recipe& recipe);

}  // namespace knead::engine
