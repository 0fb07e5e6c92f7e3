#include "runner/report/thinned_series.h"

#include <algorithm>
#include <cmath>

namespace knead::report {
namespace {

constexpr double kMostSteps = 9007199254740992.0;  // 2^53

Column column_of(const Point& point) {
  return {point.at, point.at, point.value, point.value, point.value, 1};
}

/// Adds the points of a later column.
void join(Column& column, const Column& later) {
  column.last = later.last;
  column.least = std::min(column.least, later.least);
  column.largest = std::max(column.largest, later.largest);
  column.sum += later.sum;
  column.points += later.points;
}

double between(double first, double last) { return first + (last - first) / 2; }

}  // namespace

Position Column::middle() const {
  return {between(first.step, last.step), between(first.epoch, last.epoch),
          between(first.seconds, last.seconds)};
}

std::uint64_t ThinnedSeries::index_of(double step) const {
  return static_cast<std::uint64_t>(step / width_);
}

void ThinnedSeries::add(const Point& point) {
  if (!(point.at.step >= 0 && point.at.step <= kMostSteps)) return;
  if (!std::isfinite(point.value)) {
    if (not_finite_++ == 0) first_not_finite_ = point.at.step;
    return;
  }
  ++points_;
  const Column added = column_of(point);
  const std::uint64_t index = index_of(point.at.step);
  // From the end, because steps grow.
  auto at = columns_.end();
  while (at != columns_.begin() && index_of(std::prev(at)->first.step) > index) --at;
  if (at != columns_.begin() && index_of(std::prev(at)->first.step) == index) {
    join(*std::prev(at), added);
  } else {
    columns_.insert(at, added);
  }
  while (columns_.size() > most_) widen();
}

void ThinnedSeries::widen() {
  width_ *= 2;
  std::vector<Column> wider;
  for (const Column& column : columns_) {
    if (!wider.empty() && index_of(wider.back().first.step) == index_of(column.first.step)) {
      join(wider.back(), column);
    } else {
      wider.push_back(column);
    }
  }
  columns_ = std::move(wider);
}

}  // namespace knead::report
