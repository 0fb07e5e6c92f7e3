#pragma once

#include "runner/sweep/search/space.h"

namespace knead::sweep {

/// Returns the coordinate at a share of [0, 1] of a dimension. Equal parts of the shares belong to
/// each choice and to each whole number; in the logarithm, a whole number has the part from half a
/// unit below it to half a unit above it. Other numbers are rounded as `short_number` does.
double coordinate_at(const Dimension& dimension, double share);

/// The shares of a dimension that belong to a coordinate: of a choice and a whole number a part, of
/// another number a point, with `begin == end`.
struct Part {
  double begin = 0;
  double end = 0;

  double middle() const { return 0.5 * (begin + end); }
};

/// Returns the part for a coordinate. One outside of the dimension counts as the nearest in it.
Part part_of(const Dimension& dimension, double coordinate);

/// Returns whether coordinates of the dimension are choices or whole numbers.
bool is_discrete(const Dimension& dimension);

/// Rounds a number of a range to the decimal place of a ten-millionth to a millionth of the width
/// of the range, or of the number itself where the range is logarithmic and the number the smaller
/// one: what a recipe then says is short, and the same on every machine. The result is in the
/// range.
double short_number(const Range& range, double number);

}  // namespace knead::sweep
