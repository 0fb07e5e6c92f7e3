#pragma once

#include <cstdint>
#include <vector>

namespace knead::plan {

/// Draws indices with replacement, in proportion to weights. Holds a double for each weight.
/// Immutable: threads may share it.
class WeightedDraw {
 public:
  /// Weights are finite and at least 0, and at least one is greater than 0.
  explicit WeightedDraw(const std::vector<double>& weights);

  std::uint64_t size() const { return ends_.size(); }

  /// Returns the index that 64 random bits select: the one whose share of [0, 1) holds the bits as
  /// a fraction. The upper 53 bits count. An index of weight 0 is never returned. Takes logarithmic
  /// time in the number of weights.
  std::uint64_t operator()(std::uint64_t bits) const;

 private:
  std::vector<double> ends_;  // cumulative sums of the weights
};

}  // namespace knead::plan
