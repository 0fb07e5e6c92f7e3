#include "schema/table/path_set.h"

#include <algorithm>

#include "schema/table/catalog.h"

namespace knead::schema {
namespace {

/// Counts the steps of a dotted path.
std::size_t steps_in(std::string_view path) {
  return path.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

/// Returns the first steps of a path.
std::string_view first_steps(std::string_view path, std::size_t steps) {
  std::size_t end = 0;
  for (; steps > 0; --steps) end = std::min(path.find('.', end + (end > 0)), path.size());
  return path.substr(0, end);
}

/// Returns whether a path lies at, above or below a path that the pattern matches.
bool is_in_line(std::string_view pattern, std::string_view path) {
  const std::size_t steps = std::min(steps_in(pattern), steps_in(path));
  return matches(first_steps(pattern, steps), first_steps(path, steps));
}

/// Returns whether a set has a path below this one. Such paths are adjacent in the sorted set.
bool has_below(const std::set<std::string, std::less<>>& paths, std::string_view path) {
  const std::string beginning = std::string(path) + ".";
  const auto next = paths.lower_bound(beginning);
  return next != paths.end() && next->starts_with(beginning);
}

}  // namespace

PathSet::Paths& PathSet::of(std::string_view path) {
  return path.find('*') == path.npos ? plain_ : patterns_;
}

void PathSet::insert(std::string path) {
  Paths& paths = of(path);
  paths.insert(std::move(path));
}

bool PathSet::has_at_or_below(std::string_view path) const {
  return plain_.contains(path) || has_below(plain_, path) || has_below(patterns_, path) ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& pattern) { return matches(pattern, path); });
}

bool PathSet::touches(std::string_view path) const {
  if (empty()) return false;
  if (path.empty() || contains("") || contains(path) || has_below(plain_, path)) return true;
  for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) {
    if (contains(path.substr(0, dot))) return true;
  }
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& pattern) { return is_in_line(pattern, path); });
}

}  // namespace knead::schema
