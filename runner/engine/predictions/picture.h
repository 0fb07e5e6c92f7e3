#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runner/data/source/source.h"

namespace knead::engine {

/// The measures of a picture in the numbers of a field.
struct PictureShape {
  std::int64_t channels = 1;  // 1 or 3
  std::int64_t height = 0;
  std::int64_t width = 0;
  bool channels_are_last = false;
};

/// Returns the picture that the numbers of a field are: of the shape (height, width), or with 1 or
/// 3 channels before or behind it; or a row of numbers whose name begins with "pixel" or "image",
/// if their count is a square. std::nullopt for another field, and for less than 4 × 4.
std::optional<PictureShape> picture_in(const data::Field& field);

/// Returns a picture as a PNG file in base64, at most 128 pixels wide and high: a larger one is
/// scaled down by a whole number. Its least number becomes black and its largest white, because a
/// transform may have scaled them; whole numbers of 8 bits stay as they are. `values`: as `shape`
/// says, row by row.
std::string png_in_base64(const PictureShape& shape, std::span<const double> values,
                          bool has_8_bits);

}  // namespace knead::engine
