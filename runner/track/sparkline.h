#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::track {

/// Draws a curve of one line: "▇▅▃▂▁". The curve covers all values: as they become many, each
/// column is the mean of more of them, so memory and time per value stay bounded.
class Sparkline {
 public:
  /// The largest number of columns.
  static constexpr std::size_t kMost = 32;

  /// Adds a value, unless it is NaN or infinite.
  void add(double value);

  /// Returns the curve with at most `most` ≥ 1 characters, one per column, from ▁ for the lowest to
  /// █ for the highest mean. Empty with fewer than two columns.
  std::string text(std::size_t most = kMost) const;

 private:
  std::vector<double> columns_;  // means of `each_` values
  std::size_t each_ = 1;
  double sum_ = 0;         // of the values that do not fill a column yet
  std::size_t count_ = 0;  // of these values
};

}  // namespace knead::track
