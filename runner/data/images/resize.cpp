#include <algorithm>
#include <cmath>

#include "runner/data/images/pixels.h"

namespace knead::data {
namespace {

// Weights are fixed-point numbers with Pillow's number of fractional bits, so that the results are
// identical.
constexpr int kBits = 32 - 8 - 2;

/// Lists the old positions that contribute to a new one, and their weights.
struct Span {
  std::int64_t first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Span> spans(std::int64_t before, std::int64_t after) {
  const double scale = static_cast<double>(before) / static_cast<double>(after);
  const double support = std::max(scale, 1.0);
  std::vector<Span> out;
  for (std::int64_t place = 0; place < after; ++place) {
    const double center = (static_cast<double>(place) + 0.5) * scale;
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(center - support + 0.5));
    const auto end = std::min(before, static_cast<std::int64_t>(center + support + 0.5));
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t old = first; old < end; ++old) {
      const double distance = (static_cast<double>(old) - center + 0.5) / support;
      weights.push_back(std::max(0.0, 1 - std::abs(distance)));
      sum += weights.back();
    }
    Span span{first, {}};
    for (const double weight : weights)
      span.weights.push_back(static_cast<std::int32_t>(weight / sum * (1 << kBits) + 0.5));
    out.push_back(std::move(span));
  }
  return out;
}

// A sum that starts from one half is rounded.
constexpr std::int32_t kHalf = 1 << (kBits - 1);

std::uint8_t as_value(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kBits, 0, 255));
}

/// Returns a new value from old values that lie `stride` apart.
std::uint8_t weighted(const Span& span, const std::uint8_t* from, std::int64_t stride) {
  std::int32_t sum = kHalf;
  from += span.first * stride;
  for (const std::int32_t weight : span.weights) {
    sum += *from * weight;
    from += stride;
  }
  return as_value(sum);
}

Pixels with_width(const Pixels& image, std::int64_t width) {
  Pixels out{image.height, width, image.channels, {}};
  out.values.reserve(static_cast<std::size_t>(out.height * width * out.channels));
  const auto all = spans(image.width, width);
  for (std::int64_t y = 0; y < image.height; ++y) {
    const std::uint8_t* row = image.values.data() + y * image.width * image.channels;
    for (const Span& span : all) {
      for (std::int64_t c = 0; c < image.channels; ++c)
        out.values.push_back(weighted(span, row + c, image.channels));
    }
  }
  return out;
}

Pixels with_height(const Pixels& image, std::int64_t height) {
  Pixels out{height, image.width, image.channels, {}};
  const std::int64_t stride = image.width * image.channels;
  out.values.reserve(static_cast<std::size_t>(height * stride));
  // Row by row: going down a column would miss the cache at each step of a high picture.
  std::vector<std::int32_t> sums;
  for (const Span& span : spans(image.height, height)) {
    sums.assign(static_cast<std::size_t>(stride), kHalf);
    const std::uint8_t* row = image.values.data() + span.first * stride;
    for (const std::int32_t weight : span.weights) {
      for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += row[x] * weight;
      row += stride;
    }
    for (const std::int32_t sum : sums) out.values.push_back(as_value(sum));
  }
  return out;
}

}  // namespace

Pixels resized(const Pixels& image, ImageSize size) {
  if (image.width == size.width && image.height == size.height) return image;
  if (image.width == size.width) return with_height(image, size.height);
  Pixels wide = with_width(image, size.width);
  return image.height == size.height ? wide : with_height(wide, size.height);
}

}  // namespace knead::data
