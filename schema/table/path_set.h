#pragma once

#include <set>
#include <string>
#include <string_view>

namespace knead::schema {

/// A set of dotted paths, some of them patterns with '*' for one step. A query compares a path with
/// all patterns, but with only a few plain paths, because a recipe may give tens of thousands.
class PathSet {
 public:
  void insert(std::string path);
  void erase(const std::string& path) { of(path).erase(path); }
  bool empty() const { return plain_.empty() && patterns_.empty(); }

  /// Returns whether the plain path is in the set; patterns are not matched.
  bool contains(std::string_view path) const { return plain_.contains(path); }

  /// Returns whether the set has this path or one that begins with it.
  bool has_at_or_below(std::string_view path) const;

  /// Returns whether the set has this path or one above or below it.
  bool touches(std::string_view path) const;

 private:
  using Paths = std::set<std::string, std::less<>>;
  /// Returns the container that a path belongs to.
  Paths& of(std::string_view path);

  Paths plain_;     // without '*'
  Paths patterns_;  // with '*'
};

}  // namespace knead::schema
