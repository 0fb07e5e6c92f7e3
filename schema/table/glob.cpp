#include "schema/table/glob.h"

#include <algorithm>

namespace knead::schema {
namespace {

/// Counts the characters that must be changed, added or removed until the pattern matches the name:
/// an edit distance in which '*' costs nothing.
std::size_t glob_distance(std::string_view pattern, std::string_view name) {
  std::vector<std::size_t> row(name.size() + 1);
  for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;  // the empty pattern
  for (const char c : pattern) {
    const std::vector<std::size_t> above = row;
    row[0] = above[0] + (c == '*' ? 0 : 1);
    for (std::size_t j = 1; j <= name.size(); ++j) {
      // Dynamic programming takes the same time for any number of stars; backtracking would take
      // exponential time for a pattern such as "*a*a*a*b".
      const bool fits = c == '?' || c == name[j - 1];
      row[j] = c == '*' ? std::min(above[j], row[j - 1])
                        : std::min({above[j - 1] + (fits ? 0 : 1), above[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view name) {
  return glob_distance(pattern, name) == 0;
}

std::vector<std::string> nearest_to_glob(std::string_view pattern,
                                         std::span<const std::string> names, std::size_t most) {
  const auto stars = std::count(pattern.begin(), pattern.end(), '*');
  const std::size_t written = pattern.size() - static_cast<std::size_t>(stars);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = glob_distance(pattern, name);
    if (distance <= written / 2) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (const auto& [distance, name] : near) {
    if (nearest.size() < most && distance == near.front().first) nearest.push_back(name);
  }
  return nearest;
}

}  // namespace knead::schema
