#include "runner/track/histogram.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead::track {
namespace {

constexpr std::size_t kParts = 64;

}  // namespace

Histogram histogram_of(std::string name, std::span<const float> numbers, double scale) {
  Histogram histogram{.name = std::move(name)};
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    const double value = scale * static_cast<double>(number);
    const bool is_first = histogram.numbers++ == 0;
    histogram.least = is_first ? value : std::min(histogram.least, value);
    histogram.largest = is_first ? value : std::max(histogram.largest, value);
    histogram.sum += value;
    histogram.sum_of_squares += value * value;
  }
  if (histogram.numbers == 0) return histogram;
  const double width = (histogram.largest - histogram.least) / kParts;
  if (!(width > 0)) {
    histogram.limits = {histogram.largest};
    histogram.counts = {static_cast<double>(histogram.numbers)};
    return histogram;
  }
  for (std::size_t i = 1; i < kParts; ++i)
    histogram.limits.push_back(histogram.least + static_cast<double>(i) * width);
  histogram.limits.push_back(histogram.largest);
  histogram.counts.assign(kParts, 0);
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    const double place = (scale * static_cast<double>(number) - histogram.least) / width;
    ++histogram.counts[std::min(static_cast<std::size_t>(std::max(place, 0.0)), kParts - 1)];
  }
  return histogram;
}

}  // namespace knead::track
