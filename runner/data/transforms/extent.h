#pragma once

#include "runner/data/transforms/transform.h"

namespace knead::data {

/// Holds height and width in pixels as a recipe writes them: [height, width], or one number for
/// both.
struct Extent {
  std::int64_t height;
  std::int64_t width;

  /// `size`: one or two numbers, as the schema ensures.
  explicit Extent(const std::vector<std::int64_t>& size)
      : height(size.front()), width(size.back()) {}
};

/// Returns the height in pixels of a field that is an image, (…, height, width): its second last
/// dimension. The field must have two dimensions or more.
inline std::int64_t height_of(const Field& field) { return field.shape[field.shape.size() - 2]; }
/// Returns the width in pixels of a field that is an image, (…, height, width).
inline std::int64_t width_of(const Field& field) { return field.shape.back(); }

}  // namespace knead::data
