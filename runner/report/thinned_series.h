#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knead::report {

/// Where a number stands on the axes of a chart.
struct Position {
  double step = 0;
  double epoch = 0;
  double seconds = 0;
};

/// A number and where it stands.
struct Point {
  Position at;
  double value = 0;
};

/// All points whose steps fall into one interval. The least and the largest value are those of
/// points, and not of means: a peak of a single step stays visible.
struct Column {
  Position first;
  Position last;
  double least = 0;
  double largest = 0;
  double sum = 0;
  std::uint64_t points = 0;  // at least 1

  double mean() const { return sum / static_cast<double>(points); }
  /// Returns the middle between the first and the last point.
  Position middle() const;
};

/// Holds a series of any length in bounded memory: as columns of equal width in steps, which
/// becomes twice as large whenever there are too many. With few points each has a column of its
/// own, and nothing is lost. Adding takes constant time for steps that grow.
class ThinnedSeries {
 public:
  /// Keeps between `columns` and twice as many columns once the series has more points. At least 2.
  explicit ThinnedSeries(std::size_t columns = 512) : most_(2 * columns) {}

  /// Adds a point. A value that is not finite is only counted. A step that is negative, not finite
  /// or above 2^53 is left out.
  void add(const Point& point);

  /// Returns the columns by step.
  const std::vector<Column>& columns() const { return columns_; }

  /// Returns how many finite values were added.
  std::uint64_t points() const { return points_; }

  /// Returns whether a column stands for several points.
  bool is_thinned() const { return points_ != columns_.size(); }

  /// Returns how many values were NaN or infinite, and the step of the first one.
  std::uint64_t not_finite() const { return not_finite_; }
  double first_not_finite() const { return first_not_finite_; }

 private:
  std::uint64_t index_of(double step) const;
  void widen();

  std::size_t most_;
  double width_ = 1;  // of a column in steps, a power of 2
  std::vector<Column> columns_;
  std::uint64_t points_ = 0;
  std::uint64_t not_finite_ = 0;
  double first_not_finite_ = 0;
};

}  // namespace knead::report
