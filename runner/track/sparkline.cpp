#include "runner/track/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace knead::track {
namespace {

/// Returns the means of groups of `size` consecutive values; the last group may be smaller.
std::vector<double> means_of(const std::vector<double>& values, std::size_t size) {
  std::vector<double> means;
  for (std::size_t begin = 0; begin < values.size(); begin += size) {
    const std::size_t end = std::min(begin + size, values.size());
    double mean = 0;
    for (std::size_t i = begin; i < end; ++i) mean += values[i] / static_cast<double>(end - begin);
    means.push_back(mean);
  }
  return means;
}

}  // namespace

void Sparkline::add(double value) {
  if (!std::isfinite(value)) return;
  sum_ += value;
  if (++count_ < each_) return;
  columns_.push_back(sum_ / static_cast<double>(each_));
  sum_ = 0;
  count_ = 0;
  if (columns_.size() < kMost) return;
  // kMost is even, so each mean covers exactly two columns and all keep the same weight.
  columns_ = means_of(columns_, 2);
  each_ *= 2;
}

std::string Sparkline::text(std::size_t most) const {
  static constexpr std::array<std::string_view, 8> kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<double> means = means_of(columns_, (columns_.size() + most - 1) / most);
  if (means.size() < 2) return "";
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  const double range = *high - *low;
  std::string text;
  for (const double value : means) {
    const double height = range > 0 ? (value - *low) / range * 7 : 0;
    text += kHeights[static_cast<std::size_t>(std::lround(height))];
  }
  return text;
}

}  // namespace knead::track
