#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knead::plan {

/// Which time a set is gone through, and how far it has come in it.
struct Turn {
  std::uint64_t round = 0;
  std::uint64_t place = 0;

  bool operator==(const Turn&) const = default;
};

/// Takes samples from several sets in turn, in exact proportion to their weights: the pattern
/// repeats after as many draws as the weights' sum, divided by what divides all of them, and in it
/// each set stands as evenly as can be (after each draw, the set with the smallest (2 × taken + 1)
/// / weight is next: Sainte-Laguë's method). Any draw is known without those before it. Never
/// changes: threads share it.
class MixDraw {
 public:
  struct Part {
    std::uint64_t samples = 0;  // at least 1
    std::uint64_t weight = 1;   // at least 1
  };

  struct Draw {
    std::size_t part = 0;
    Turn turn;  // its place is below the part's samples
  };

  explicit MixDraw(std::vector<Part> parts);

  /// Samples of all parts together: an epoch.
  std::uint64_t size() const { return size_; }

  /// Where the samples of a part begin when all stand one behind the other.
  std::uint64_t begin_of(std::size_t part) const { return begins_[part]; }
  std::uint64_t samples_of(std::size_t part) const { return parts_[part].samples; }
  std::size_t parts() const { return parts_.size(); }

  /// What is drawn at a position, counted through all epochs.
  Draw operator()(std::uint64_t position) const;

 private:
  struct Step {
    std::uint32_t part = 0;
    std::uint32_t taken = 0;  // from that part since the pattern began
  };

  std::vector<Part> parts_;  // weights without a common divisor
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
  std::vector<Step> pattern_;
};

}  // namespace knead::plan
