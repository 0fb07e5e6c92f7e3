#include "runner/report/importance.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "runner/report/key_axis.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostValues = 6;  // of a key whose values are groups
constexpr std::size_t kParts = 5;       // of a range
constexpr std::size_t kLeastPoints = 4;

/// Returns the order of values, from the least.
std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// Returns the rank of each value; equal ones share the mean of theirs.
std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::vector<std::size_t> order = order_of(values);
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + end - 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
  }
  return ranks;
}

/// Returns the group of each point: by its value, or by the part of the range that it lies in.
std::vector<std::size_t> groups_of(const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> names;
  std::vector<std::size_t> groups;
  std::vector<double> numbers;
  for (const std::string& value : values) {
    groups.push_back(names.emplace(value, names.size()).first->second);
    if (const auto number = number_in(value)) numbers.push_back(*number);
  }
  if (names.size() <= kMostValues || numbers.size() != values.size()) return groups;
  // Equal values must not be divided, so their group is that of the first of them.
  const std::vector<std::size_t> order = order_of(numbers);
  std::size_t group = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || numbers[order[i]] != numbers[order[i - 1]]) group = i * kParts / order.size();
    groups[order[i]] = group;
  }
  return groups;
}

/// Returns ε² of ranks in groups: (between − (groups − 1) · within per degree of freedom) / all.
double explained(const std::vector<double>& ranks, const std::vector<std::size_t>& groups,
                 std::size_t& count) {
  std::map<std::size_t, std::pair<double, double>> sums;  // of ranks, of points
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    sums[groups[i]].first += ranks[i];
    sums[groups[i]].second += 1;
  }
  count = sums.size();
  const double points = static_cast<double>(ranks.size());
  const double mean = std::accumulate(ranks.begin(), ranks.end(), 0.0) / points;
  double all = 0, between = 0;
  for (const double rank : ranks) all += (rank - mean) * (rank - mean);
  for (const auto& [group, sum] : sums) {
    const double off = sum.first / sum.second - mean;
    between += sum.second * off * off;
  }
  const double freedom = points - static_cast<double>(count);
  if (count < 2 || freedom < 1 || all == 0) return 0;
  const double noise = (all - between) / freedom;
  return std::clamp((between - static_cast<double>(count - 1) * noise) / all, 0.0, 1.0);
}

}  // namespace

std::vector<Importance> importances(const std::vector<std::string>& keys,
                                    const std::vector<std::vector<std::string>>& values,
                                    const std::vector<double>& objective) {
  std::vector<Importance> found;
  if (objective.size() < kLeastPoints) return found;
  const std::vector<double> ranks = ranks_of(objective);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::vector<std::string> of_key;
    for (const auto& point : values) of_key.push_back(point[k]);
    Importance& each = found.emplace_back(Importance{.key = keys[k]});
    each.share = explained(ranks, groups_of(of_key), each.groups);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return found;
}

}  // namespace knead::report
