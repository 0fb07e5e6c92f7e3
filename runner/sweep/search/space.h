#pragma once

#include <cstddef>
#include <variant>
#include <vector>

namespace knead::sweep {

/// Values that are listed: the coordinate of a point is the index of one, from 0.
struct Choices {
  std::size_t count = 0;  // at least 1
};

/// Numbers between two bounds, which belong to it: the coordinate of a point is the number itself.
struct Range {
  double low = 0;
  double high = 0;          // not below `low`
  bool is_log = false;      // drawn evenly in the logarithm; `low` is then above 0
  bool is_integer = false;  // whole numbers only; the bounds are whole too
  std::size_t points = 0;   // how many a grid takes, bounds included; 0: not said
};

using Dimension = std::variant<Choices, Range>;

/// The dimensions of a search in the order of the recipe, one for each key.
using Space = std::vector<Dimension>;

/// A coordinate for each dimension of a space.
using Point = std::vector<double>;

}  // namespace knead::sweep
