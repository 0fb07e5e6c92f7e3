#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace knead::data {

/// Lists the rows of a source that a set has, in the order of the set: a range, which needs no
/// memory per row, or a list.
class Rows {
 public:
  Rows() = default;
  /// Lists the rows [begin, end).
  Rows(std::uint64_t begin, std::uint64_t end) : begin_(begin), size_(end - begin) {}
  explicit Rows(std::vector<std::uint64_t> list)
      : size_(list.size()), is_range_(false), list_(std::move(list)) {}

  std::uint64_t size() const { return size_; }
  /// Returns the row at a position below size().
  std::uint64_t operator[](std::uint64_t place) const {
    return is_range_ ? begin_ + place : list_[place];
  }

  bool operator==(const Rows&) const = default;

 private:
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
  bool is_range_ = true;
  std::vector<std::uint64_t> list_;
};

}  // namespace knead::data
