#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace knead::plan {

/// Configures how a token is drawn, as the recipe's block `generate` says.
struct Drawing {
  double temperature = 1;                // 0: the likeliest token is taken
  std::optional<std::uint64_t> top_k{};  // tokens that may be drawn; at least 1
  double top_p = 1;                      // probability of those that may be drawn, 0 … 1
};

/// Returns the token that a model's scores give for a number `at` in [0, 1): softmax of the scores
/// over the temperature, first limited to the top_k likeliest tokens, then to as few of the
/// likeliest as have the probability top_p together, in the order of Hugging Face's transformers.
/// Of equally likely tokens the one with the lower number comes first. A score of minus infinity is
/// never drawn. Pure: computes in float64, the same on every machine. std::nullopt if a score is
/// NaN or infinite, or no token may be drawn.
std::optional<std::uint32_t> draw_token(std::span<const float> scores, const Drawing& rule,
                                        double at);

}  // namespace knead::plan
