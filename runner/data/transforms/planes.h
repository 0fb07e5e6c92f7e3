#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/transforms/draw.h"

/// Operations of transforms on images: planes of rows, (…, height, width), float32. The results
/// depend only on the arguments.

namespace knead::data {

/// Refers to the planes of a sample: (count, height, width).
struct Planes {
  const std::vector<float>& values;
  std::int64_t count = 1;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// Returns the part of height × width that begins at (top, left). The part may extend beyond the
/// image, where it is 0.
std::vector<float> cut(const Planes& image, std::int64_t top, std::int64_t left,
                       std::int64_t height, std::int64_t width);

/// Returns the image mirrored left to right, or top to bottom.
std::vector<float> flipped(const Planes& image, bool left_right);

/// Returns the image scaled as torch.nn.functional.interpolate(mode="bilinear", antialias=True)
/// does.
std::vector<float> scaled(const Planes& image, std::int64_t height, std::int64_t width);

/// Returns the image turned counter-clockwise around its centre and zoomed by a factor, with
/// bilinear interpolation; 0 outside of the image.
std::vector<float> turned(const Planes& image, double degrees, double factor);

/// Returns the image with a rectangle of 0 of height × width around (y, x), cut off at the edges.
std::vector<float> with_hole(const Planes& image, std::int64_t y, std::int64_t x,
                             std::int64_t height, std::int64_t width);

}  // namespace knead::data
