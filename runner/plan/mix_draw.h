#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knead::plan {

/// A position in repeated passes over a set: the pass and the place in it, both from 0.
struct Turn {
  std::uint64_t round = 0;
  std::uint64_t place = 0;

  bool operator==(const Turn&) const = default;
};

/// Draws samples from several sets in exact proportion to their weights. The pattern repeats after
/// as many draws as the sum of the weights, divided by their common divisor. Within it the sets are
/// spread as evenly as possible by Sainte-Laguë's method: the next set is the one with the smallest
/// (2 × taken + 1) / weight, of equal ones the first. Any draw is known without the draws before
/// it. Immutable: threads may share it.
///
/// Weights 3 and 1 give the parts 0, 0, 1, 0, repeated. The object holds one pattern in memory, so
/// huge weights without a common divisor cost memory and time at construction.
class MixDraw {
 public:
  /// A set of the mix.
  struct Part {
    std::uint64_t samples = 0;  // at least 1
    std::uint64_t weight = 1;   // at least 1
  };

  /// A drawn sample.
  struct Draw {
    std::size_t part = 0;
    Turn turn;  // its place is less than the part's samples
  };

  /// Lays out the pattern. There is at least one part, and each has at least one sample.
  explicit MixDraw(std::vector<Part> parts);

  /// Returns the number of samples of all parts together, which is an epoch.
  std::uint64_t size() const { return size_; }

  /// Returns the index of a part's first sample when all parts are concatenated.
  std::uint64_t begin_of(std::size_t part) const { return begins_[part]; }
  std::uint64_t samples_of(std::size_t part) const { return parts_[part].samples; }
  std::size_t parts() const { return parts_.size(); }

  /// Returns the draw at a position, which is counted through all epochs. Takes constant time.
  Draw operator()(std::uint64_t position) const;

 private:
  /// One draw of the pattern.
  struct Step {
    std::uint32_t part = 0;
    std::uint32_t taken = 0;  // draws from this part since the pattern began
  };

  std::vector<Part> parts_;  // weights divided by their common divisor
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
  std::vector<Step> pattern_;
};

}  // namespace knead::plan
