#pragma once

#include "runner/data/transforms/transform.h"

namespace knead::data {

/// Holds height and width as a recipe writes them: two numbers, or one number for both.
struct Extent {
  std::int64_t height;
  std::int64_t width;

  explicit Extent(const std::vector<std::int64_t>& size)
      : height(size.front()), width(size.back()) {}
};

/// Returns the second last dimension of a field, which must have two or more.
inline std::int64_t height_of(const Field& field) { return field.shape[field.shape.size() - 2]; }
/// Returns the last dimension of a field.
inline std::int64_t width_of(const Field& field) { return field.shape.back(); }

}  // namespace knead::data
