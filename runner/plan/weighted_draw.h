#pragma once

#include <cstdint>
#include <vector>

namespace knead::plan {

/// Draws places with replacement, in proportion to weights. Never changes: threads share it.
class WeightedDraw {
 public:
  /// Weights are finite and at least 0, and not all are 0.
  explicit WeightedDraw(const std::vector<double>& weights);

  std::uint64_t size() const { return ends_.size(); }

  /// The place that 64 random bits stand for.
  std::uint64_t operator()(std::uint64_t bits) const;

 private:
  std::vector<double> ends_;  // of the part of the sum that each place has
};

}  // namespace knead::plan
