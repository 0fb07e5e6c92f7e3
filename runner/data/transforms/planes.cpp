#include "runner/data/transforms/planes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead::data {
namespace {

/// Returns the index of a pixel in Planes::values.
std::size_t place(const Planes& image, std::int64_t plane, std::int64_t y, std::int64_t x) {
  return static_cast<std::size_t>((plane * image.height + y) * image.width + x);
}

/// Holds the weights of old positions in a new one: a triangle as wide as the coarser of both
/// grids.
struct Mixture {
  std::int64_t first = 0;
  std::vector<float> weights;
};

// Follows the rounding of PyTorch's kernel for antialiased scaling, so that borders agree with it.
std::vector<Mixture> mixtures(std::int64_t before, std::int64_t after) {
  const double scale = static_cast<double>(before) / static_cast<double>(after);
  const double support = std::max(scale, 1.0);
  std::vector<Mixture> out;
  for (std::int64_t i = 0; i < after; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(center - support + 0.5));
    const auto end = std::min(before, static_cast<std::int64_t>(center + support + 0.5));
    Mixture mixture{first, {}};
    double sum = 0;
    for (std::int64_t old = first; old < end; ++old) {
      const double distance = (static_cast<double>(old) - center + 0.5) / support;
      sum += std::max(0.0, 1 - std::abs(distance));
      mixture.weights.push_back(static_cast<float>(std::max(0.0, 1 - std::abs(distance))));
    }
    for (float& weight : mixture.weights) weight = static_cast<float>(weight / sum);
    out.push_back(std::move(mixture));
  }
  return out;
}

float mixed(const Mixture& mixture, const float* from, std::int64_t stride) {
  float sum = 0;
  from += mixture.first * stride;
  for (const float weight : mixture.weights) {
    sum += *from * weight;
    from += stride;
  }
  return sum;
}

std::vector<float> with_width(const Planes& image, std::int64_t width) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(image.count * image.height * width));
  const auto all = mixtures(image.width, width);
  for (std::int64_t row = 0; row < image.count * image.height; ++row) {
    for (const Mixture& mixture : all)
      out.push_back(mixed(mixture, image.values.data() + row * image.width, 1));
  }
  return out;
}

std::vector<float> with_height(const Planes& image, std::int64_t height) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(image.count * height * image.width));
  const auto all = mixtures(image.height, height);
  for (std::int64_t plane = 0; plane < image.count; ++plane) {
    for (const Mixture& mixture : all) {
      for (std::int64_t x = 0; x < image.width; ++x)
        out.push_back(mixed(mixture, &image.values[place(image, plane, 0, x)], image.width));
    }
  }
  return out;
}

/// Splits a coordinate into the pixel at or before it and the distance from there.
struct Between {
  std::int64_t whole = 0;
  float rest = 0;

  explicit Between(double at)
      : whole(static_cast<std::int64_t>(std::floor(at))),
        rest(static_cast<float>(at - std::floor(at))) {}
};

float at_or_zero(const Planes& image, std::int64_t plane, std::int64_t y, std::int64_t x) {
  const bool is_inside = y >= 0 && x >= 0 && y < image.height && x < image.width;
  return is_inside ? image.values[place(image, plane, y, x)] : 0.0F;
}

float interpolated(const Planes& image, std::int64_t plane, const Between& y, const Between& x) {
  const float above = at_or_zero(image, plane, y.whole, x.whole) * (1 - x.rest) +
                      at_or_zero(image, plane, y.whole, x.whole + 1) * x.rest;
  const float below = at_or_zero(image, plane, y.whole + 1, x.whole) * (1 - x.rest) +
                      at_or_zero(image, plane, y.whole + 1, x.whole + 1) * x.rest;
  return above * (1 - y.rest) + below * y.rest;
}

}  // namespace

std::vector<float> cut(const Planes& image, std::int64_t top, std::int64_t left,
                       std::int64_t height, std::int64_t width) {
  std::vector<float> out(static_cast<std::size_t>(image.count * height * width));
  const std::int64_t first = std::clamp<std::int64_t>(-left, 0, width);
  const std::int64_t end = std::clamp<std::int64_t>(image.width - left, first, width);
  for (std::int64_t plane = 0; plane < image.count; ++plane) {
    for (std::int64_t y = 0; y < height; ++y) {
      // Rows and columns outside of the image stay 0; a part without any column has no address to
      // copy from.
      if (top + y < 0 || top + y >= image.height || first == end) continue;
      const float* from = &image.values[place(image, plane, top + y, left + first)];
      std::copy_n(from, end - first, out.begin() + (plane * height + y) * width + first);
    }
  }
  return out;
}

std::vector<float> flipped(const Planes& image, bool left_right) {
  std::vector<float> out(image.values.size());
  for (std::int64_t plane = 0; plane < image.count; ++plane) {
    for (std::int64_t y = 0; y < image.height; ++y) {
      const std::int64_t from_y = left_right ? y : image.height - 1 - y;
      const float* from = &image.values[place(image, plane, from_y, 0)];
      float* to = &out[place(image, plane, y, 0)];
      if (left_right) {
        std::reverse_copy(from, from + image.width, to);
      } else {
        std::copy_n(from, image.width, to);
      }
    }
  }
  return out;
}

std::vector<float> scaled(const Planes& image, std::int64_t height, std::int64_t width) {
  const std::vector<float> wide = with_width(image, width);
  return with_height({wide, image.count, image.height, width}, height);
}

std::vector<float> turned(const Planes& image, double degrees, double factor) {
  const double radians = degrees * std::numbers::pi / 180;
  const double along = std::cos(radians) / factor;
  const double across = std::sin(radians) / factor;
  const double middle_y = static_cast<double>(image.height - 1) / 2;
  const double middle_x = static_cast<double>(image.width - 1) / 2;
  std::vector<float> out(image.values.size());
  for (std::int64_t y = 0; y < image.height; ++y) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      // The inverse rotation gives the position from which this pixel comes; the y axis of an image
      // points down.
      const double dy = static_cast<double>(y) - middle_y;
      const double dx = static_cast<double>(x) - middle_x;
      const Between from_y(middle_y + dy * along + dx * across);
      const Between from_x(middle_x + dx * along - dy * across);
      for (std::int64_t plane = 0; plane < image.count; ++plane)
        out[place(image, plane, y, x)] = interpolated(image, plane, from_y, from_x);
    }
  }
  return out;
}

std::vector<float> with_hole(const Planes& image, std::int64_t y, std::int64_t x,
                             std::int64_t height, std::int64_t width) {
  std::vector<float> out = image.values;
  const std::int64_t top = std::max<std::int64_t>(0, y - height / 2);
  const std::int64_t left = std::max<std::int64_t>(0, x - width / 2);
  const std::int64_t bottom = std::min(image.height, y - height / 2 + height);
  const std::int64_t right = std::min(image.width, x - width / 2 + width);
  for (std::int64_t plane = 0; plane < image.count; ++plane) {
    for (std::int64_t row = top; row < bottom; ++row)
      std::fill(&out[place(image, plane, row, left)],
                &out[place(image, plane, row, left)] + (right - left), 0.0F);
  }
  return out;
}

}  // namespace knead::data
