#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include "recipe.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Asks a language model which token follows others. The model takes tokens (1, length), as the
/// field `tokens` of a set of text, and returns scores (1, length, vocabulary), or those of the
/// last place, (1, vocabulary). Borrows its arguments.
///
/// A forward with a parameter `cache: Optional[List[Tensor]] = None` is not given again what it has
/// seen: it gets an empty list with the first tokens, keeps in it what it needs of them (keys and
/// values of attention), and gets the same list with the tokens that follow. Without the parameter,
/// and behind `context` tokens, where each token moves the places of all others, forward gets all
/// tokens each time.
class NextScores {
 public:
  /// `context`: the most tokens that the model sees. The model must be in evaluation mode in
  /// after(). Throws knead::Error if forward needs more than tokens.
  NextScores(model::Model& model, const recipe::Recipe& recipe, std::int64_t context);

  /// Returns a score for each token of the vocabulary as the next one, of which the highest is the
  /// likeliest. Only the last `context` tokens are looked at. `tokens` must not be empty. Throws
  /// knead::Error if the output has another shape, and what the model throws.
  std::vector<float> after(std::span<const std::uint32_t> tokens);

  /// Returns whether the model's forward takes a cache.
  bool has_cache() const { return cache_parameter_.has_value(); }

  /// Forgets what the model has seen: its weights may change now.
  void forget();

 private:
  /// Returns the tokens that forward must get, as a tensor (1, length), and prepares the cache.
  at::Tensor unseen(std::span<const std::uint32_t> tokens);

  model::Model& model_;
  const recipe::Recipe& recipe_;
  std::int64_t context_;
  FeedFields fields_;
  std::optional<std::size_t> cache_parameter_;
  std::optional<c10::List<at::Tensor>> cache_;
  std::vector<std::uint32_t> seen_;  // the tokens of which the cache holds something
};

}  // namespace knead::engine
