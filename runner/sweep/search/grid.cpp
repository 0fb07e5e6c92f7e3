#include "runner/sweep/search/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runner/sweep/search/coordinate.h"
#include "runner/sweep/search/elementary.h"

namespace knead::sweep {
namespace {

/// The number at place `index` of `count` that cut a range evenly, before it is rounded.
double cut_at(const Range& range, std::uint64_t index, std::uint64_t count) {
  if (index == 0) return range.low;
  if (index + 1 == count) return range.high;
  const double share = static_cast<double>(index) / static_cast<double>(count - 1);
  if (!range.is_log) return range.low + share * (range.high - range.low);
  const double low = natural_log(range.low);
  return exponential(low + share * (natural_log(range.high) - low));
}

double whole(double number) { return std::floor(number + 0.5); }

/// The whole numbers next to an even cut of the logarithm, each once. Neighbours are close to each
/// other at the lower end.
std::vector<double> whole_numbers(const Range& range) {
  std::vector<double> numbers;
  for (std::uint64_t index = 0; index < range.points; ++index)
    numbers.push_back(std::clamp(whole(cut_at(range, index, range.points)), range.low, range.high));
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// Returns whether a grid takes every whole number of a range: without `points`, or if an even cut
/// has at least as many points as the range has numbers.
bool takes_all(const Range& range) {
  const auto points = static_cast<double>(range.points);
  return range.is_integer &&
         (range.points == 0 || (!range.is_log && points >= range.high - range.low + 1));
}

std::uint64_t count_of(const Choices& choices) { return choices.count; }

std::uint64_t count_of(const Range& range) {
  if (range.low == range.high) return 1;
  if (takes_all(range)) return static_cast<std::uint64_t>(range.high - range.low) + 1;
  if (range.is_integer && range.is_log) return whole_numbers(range).size();
  return std::max<std::uint64_t>(range.points, 1);
}

double value_at(const Choices&, std::uint64_t index) { return static_cast<double>(index); }

double value_at(const Range& range, std::uint64_t index) {
  if (takes_all(range)) return range.low + static_cast<double>(index);
  if (range.is_integer && range.is_log) return whole_numbers(range)[index];
  const std::uint64_t count = count_of(range);
  const double number = cut_at(range, index, count);
  if (range.is_integer) return whole(number);
  const bool is_bound = index == 0 || index + 1 == count;
  return is_bound ? number : short_number(range, number);
}

std::uint64_t size_of(const Dimension& dimension) {
  return std::visit([](const auto& kind) { return count_of(kind); }, dimension);
}

}  // namespace

std::optional<std::uint64_t> grid_size(const Space& space) {
  std::uint64_t size = 1;
  for (const Dimension& dimension : space) {
    const std::uint64_t count = size_of(dimension);
    if (size > std::numeric_limits<std::uint64_t>::max() / count) return std::nullopt;
    size *= count;
  }
  return size;
}

Point grid_point(const Space& space, std::uint64_t number) {
  Point point(space.size());
  for (std::size_t place = space.size(); place-- > 0;) {
    const std::uint64_t count = size_of(space[place]);
    const std::uint64_t index = number % count;
    number /= count;
    point[place] =
        std::visit([&](const auto& kind) { return value_at(kind, index); }, space[place]);
  }
  return point;
}

}  // namespace knead::sweep
