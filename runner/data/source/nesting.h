#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knead::data {

/// Finds the shape of nested lists while a reader walks through them once. Values are counted by
/// depth, which is the number of lists around them: 0 for a value that is not in a list.
///
/// Usage: clear(); add_value() for each value and close_list() behind the last item of each list;
/// then is_ragged() and shape().
class Nesting {
 public:
  void clear() {
    shape_.clear();
    depth_of_values_ = kNone;
    is_even_ = true;
  }

  /// Counts a value at a depth.
  void add_value(std::size_t depth) {
    if (depth_of_values_ == kNone) depth_of_values_ = depth;
    is_even_ = is_even_ && depth_of_values_ == depth;
  }

  /// Counts a list at a depth, and the number of its items.
  void close_list(std::size_t depth, std::int64_t length) {
    if (depth >= shape_.size()) shape_.resize(depth + 1, kOpen);
    if (shape_[depth] == kOpen) shape_[depth] = length;
    is_even_ = is_even_ && shape_[depth] == length;
  }

  /// Returns whether lists of one depth have different lengths, or a value stands beside a list, as
  /// in [[1, 2, 3], [4]] and [1, [2]].
  bool is_ragged() const {
    return !is_even_ || (depth_of_values_ != kNone && depth_of_values_ != shape_.size());
  }

  /// Returns the dimensions: (2, 3) for [[1, 2, 3], [4, 5, 6]]; empty for a single value. Means
  /// nothing if the lists are ragged.
  const std::vector<std::int64_t>& shape() const { return shape_; }

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);
  static constexpr std::int64_t kOpen = -1;  // the length of a list whose end is not reached

  std::vector<std::int64_t> shape_;  // by depth: the length of the first list that ended
  std::size_t depth_of_values_ = kNone;
  bool is_even_ = true;  // so far
};

}  // namespace knead::data
