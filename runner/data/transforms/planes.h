#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/transforms/draw.h"

/// What transforms do to images: planes of rows, (…, height, width), float32. Everything is a
/// function of the values, the parameters and the draw.

namespace knead::data {

/// A view of the planes of a sample.
struct Planes {
  const std::vector<float>& values;
  std::int64_t count = 1;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// The part of height × width that begins at (top, left), which may lie outside; there it is 0.
std::vector<float> cut(const Planes& image, std::int64_t top, std::int64_t left,
                       std::int64_t height, std::int64_t width);

/// Mirrored: left and right, or top and bottom.
std::vector<float> flipped(const Planes& image, bool left_right);

/// Scaled as torch.nn.functional.interpolate(mode="bilinear", antialias=True) does.
std::vector<float> scaled(const Planes& image, std::int64_t height, std::int64_t width);

/// Turned counter-clockwise around the centre and zoomed by a factor: each pixel is interpolated
/// between the four that its place falls among; 0 outside.
std::vector<float> turned(const Planes& image, double degrees, double factor);

/// With a hole of 0 of height × width around a place; what of it lies outside is cut off.
std::vector<float> with_hole(const Planes& image, std::int64_t y, std::int64_t x,
                             std::int64_t height, std::int64_t width);

}  // namespace knead::data
