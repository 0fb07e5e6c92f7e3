#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace knead::data {

/// Lists the rows of a source that a set has, in the order of the set: a range, which needs no
/// memory per row, or a list, which needs 8 bytes per row. A default-constructed object has no
/// rows. Immutable after construction, so that threads may share it.
class Rows {
 public:
  Rows() = default;
  /// Lists the rows [begin, end); `begin` must not be greater than `end`.
  Rows(std::uint64_t begin, std::uint64_t end) : begin_(begin), size_(end - begin) {}
  /// Lists rows in any order; a row may occur more than once.
  explicit Rows(std::vector<std::uint64_t> list)
      : size_(list.size()), is_range_(false), list_(std::move(list)) {}

  /// Returns the number of rows.
  std::uint64_t size() const { return size_; }
  /// Returns the row at a position, which must be below size(). O(1); the position is not checked.
  std::uint64_t operator[](std::uint64_t place) const {
    return is_range_ ? begin_ + place : list_[place];
  }

  /// Compares representations: a range and a list of the rows in that range are not equal.
  bool operator==(const Rows&) const = default;

 private:
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
  bool is_range_ = true;
  std::vector<std::uint64_t> list_;
};

}  // namespace knead::data
