#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recipe.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Asks a language model which token follows others. The model takes tokens (1, length), as the
/// field `tokens` of a set of text, and returns scores (1, length, vocabulary), or those of the
/// last place, (1, vocabulary). Borrows its arguments.
class NextScores {
 public:
  /// Puts the model into evaluation mode. `context`: the most tokens that the model sees. Throws
  /// knead::Error if forward needs more than tokens.
  NextScores(model::Model& model, const recipe::Recipe& recipe, std::int64_t context);

  /// Returns a score for each token of the vocabulary as the next one, of which the highest is the
  /// likeliest. Only the last `context` tokens are looked at. `tokens` must not be empty. Throws
  /// knead::Error if the output has another shape, and what the model throws.
  std::vector<float> after(std::span<const std::uint32_t> tokens);

 private:
  model::Model& model_;
  const recipe::Recipe& recipe_;
  std::int64_t context_;
  FeedFields fields_;
};

}  // namespace knead::engine
