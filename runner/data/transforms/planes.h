#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/transforms/draw.h"

// These functions are the operations of transforms on images: planes of rows, (…, height, width),
// float32. They are pure, and return new memory.

namespace knead::data {

/// Refers to the planes of a sample: (count, height, width), row-major. Borrows the values, which
/// must outlive it.
struct Planes {
  const std::vector<float>& values;
  std::int64_t count = 1;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// Returns the part of height × width that begins at (top, left), for each plane: (count, height,
/// width). The part may extend beyond the image, on any side, where it is 0; top and left may be
/// negative.
std::vector<float> cut(const Planes& image, std::int64_t top, std::int64_t left,
                       std::int64_t height, std::int64_t width);

/// Returns the image mirrored left to right, or top to bottom if `left_right` is false. The shape
/// stays.
std::vector<float> flipped(const Planes& image, bool left_right);

/// Returns the image scaled to (count, height, width) as
/// torch.nn.functional.interpolate(mode="bilinear", antialias=True) does: each new pixel is an
/// average of the old ones, weighted by a triangle that is as wide as the coarser of the two grids.
/// The width is scaled first, then the height.
std::vector<float> scaled(const Planes& image, std::int64_t height, std::int64_t width);

/// Returns the image turned counter-clockwise around its centre and zoomed by a factor (above 1
/// enlarges), with bilinear interpolation; 0 outside of the image. The shape stays.
std::vector<float> turned(const Planes& image, double degrees, double factor);

/// Returns the image with a rectangle of 0 of height × width around (y, x), cut off at the edges,
/// in all planes. The centre must lie within the image.
std::vector<float> with_hole(const Planes& image, std::int64_t y, std::int64_t x,
                             std::int64_t height, std::int64_t width);

}  // namespace knead::data
