#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::track {

/// A curve one line high: "▇▅▃▂▁". It always shows all that was added: as values become many, each
/// column is the mean of more of them.
class Sparkline {
 public:
  static constexpr std::size_t kMost = 32;

  /// What is not finite is left out.
  void add(double value);

  /// A character a column, `most` ≥ 1 of them and kMost at the most; the lowest ▁, the highest █.
  /// Empty where there is nothing to compare.
  std::string text(std::size_t most = kMost) const;

 private:
  std::vector<double> columns_;  // means of `each_` values
  std::size_t each_ = 1;
  double sum_ = 0;  // of the values that are no column yet
  std::size_t count_ = 0;
};

}  // namespace knead::track
