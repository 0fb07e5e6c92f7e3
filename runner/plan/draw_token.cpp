#include "runner/plan/draw_token.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace knead::plan {
namespace {

using Tokens = std::vector<std::uint32_t>;

/// Returns whether a model could have meant these scores.
bool are_scores(std::span<const float> scores) {
  bool can_draw = false;
  for (const float score : scores) {
    if (std::isnan(score) || score == std::numeric_limits<float>::infinity()) return false;
    can_draw = can_draw || std::isfinite(score);
  }
  return can_draw;
}

/// Returns the `count` likeliest tokens, the likeliest first.
Tokens likeliest(std::span<const float> scores, std::size_t count) {
  Tokens tokens(scores.size());
  std::iota(tokens.begin(), tokens.end(), 0U);
  const auto is_likelier = [&](std::uint32_t left, std::uint32_t right) {
    return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
  };
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(tokens.begin(), end, tokens.end(), is_likelier);
  tokens.erase(end, tokens.end());
  return tokens;
}

/// Returns how many of the weights, largest first, have the share `top_p` of their sum.
std::size_t count_of_share(const std::vector<double>& weights, double top_p) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (sum >= top_p * all) return i + 1;
  }
  return weights.size();
}

}  // namespace

std::optional<std::uint32_t> draw_token(std::span<const float> scores, const Drawing& rule,
                                        double at) {
  if (!are_scores(scores)) return std::nullopt;
  const std::size_t most =
      std::min<std::uint64_t>(rule.top_k.value_or(scores.size()), scores.size());
  const Tokens tokens = likeliest(scores, rule.temperature == 0 ? 1 : most);
  if (rule.temperature == 0) return tokens.front();
  std::vector<double> weights;
  const double highest = scores[tokens.front()];
  for (const std::uint32_t token : tokens)
    weights.push_back(std::exp((scores[token] - highest) / rule.temperature));
  weights.resize(count_of_share(weights, rule.top_p));
  double left = at * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return tokens[i];
  }
  // Rounding may leave a little behind the last weight, which may be 0.
  const auto last = std::find_if(weights.rbegin(), weights.rend(), [](double w) { return w > 0; });
  return tokens[static_cast<std::size_t>(weights.rend() - last) - 1];
}

}  // namespace knead::plan
