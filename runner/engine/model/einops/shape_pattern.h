#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace knead::engine::model::einops {

/// One dimension that the pattern of parse_shape() names or whose length it states.
struct ShapeAxis {
  std::string name;         // empty where the pattern states a length
  std::int64_t length = 0;  // the stated length; 0 for a name
  std::int64_t place = 0;   // the dimension; negative places count from the end
};

/// The pattern of parse_shape(): "b _ h w".
struct ShapePattern {
  std::size_t dimensions = 0;  // number of dimensions beside those of the ellipsis
  bool has_ellipsis = false;
  std::vector<ShapeAxis> axes;  // dimensions that `_` skips are left out
};

/// Parses the pattern of parse_shape(). Throws Mistake for a pattern that einops refuses.
ShapePattern parse_shape_pattern(const std::string& pattern);

}  // namespace knead::engine::model::einops
