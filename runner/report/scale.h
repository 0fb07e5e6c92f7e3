#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::report {

/// Maps values to places on a chart, linearly or by their logarithm. Pure.
struct Scale {
  double low = 0;
  double high = 1;  // above `low`
  bool is_log = false;
  double from = 0;  // place of `low`
  double to = 1;    // place of `high`; may lie before `from`, as that of an axis upwards does

  /// Returns the place of a value, which need not lie within the bounds. With `is_log` a value that
  /// is not above 0 has the place of `low`.
  double place(double value) const;
};

/// A value that an axis names.
struct Tick {
  double value = 0;
  std::string text;
};

/// Returns a scale over these values, to places from 0 to 1: with some room on both sides, so that
/// lines do not run along the frame, and with a length if all values are equal. Bounds that are not
/// finite, or `is_log` with a bound that is not above 0, give a linear scale, from 0 to 1 if need
/// be.
Scale scale_over(double least, double largest, bool is_log = false);

/// Returns the values that an axis names, in ascending order: multiples of 1, 2 or 5 times a power
/// of ten, at most `most` ≥ 2 of them and, on a linear scale, at least two; on a logarithmic one
/// powers of ten, with 2 and 5 times them where there is room. All lie within the bounds.
std::vector<Tick> ticks(const Scale& scale, std::size_t most);

/// Returns a place of a drawing with at most one decimal, without trailing zeros: "12.5".
std::string place_text(double place);

}  // namespace knead::report
