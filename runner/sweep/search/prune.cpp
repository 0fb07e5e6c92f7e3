#include "runner/sweep/search/prune.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knead::sweep {

bool asha_continues(std::span<const double> earlier, double value, int reduction) {
  if (std::isnan(value)) return false;
  const auto numbers = std::count_if(earlier.begin(), earlier.end(),
                                     [](double other) { return !std::isnan(other); });
  const auto better =
      std::count_if(earlier.begin(), earlier.end(), [&](double other) { return other < value; });
  return better < std::max<std::ptrdiff_t>(1, (numbers + 1) / reduction);
}

std::vector<std::size_t> asha_promoted(std::span<const double> values, int reduction) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t index) { return std::isnan(values[index]); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  order.resize(order.size() / static_cast<std::size_t>(reduction));
  return order;
}

bool median_continues(std::span<const double> others, double best, int startup) {
  if (others.empty() || others.size() < static_cast<std::size_t>(startup)) return true;
  if (std::isnan(best)) return false;
  std::vector<double> numbers(others.begin(), others.end());
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  if (numbers.empty()) return true;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  const double high = numbers[middle];
  const double low = numbers[numbers.size() % 2 == 1 ? middle : middle - 1];
  // Rounded as NumPy does it, whose median Optuna takes.
  const double median = low == high ? high : high - (high - low) * 0.5;
  return !(best > median);
}

}  // namespace knead::sweep
