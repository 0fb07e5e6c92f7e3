#pragma once

#include <set>
#include <string>
#include <string_view>

namespace knead::schema {

/// A set of dotted paths, some of them patterns with '*' for one step. A query compares a path with
/// all patterns, but with only a few plain paths, because a recipe may give tens of thousands. A
/// path lies below another if it has the steps of the other and more: "optimizer.lr" lies below
/// "optimizer", "optimizers" does not. The empty path is the root.
class PathSet {
 public:
  /// Adds a path or, if it contains a '*', a pattern.
  void insert(std::string path);
  void erase(const std::string& path) { of(path).erase(path); }
  bool empty() const { return plain_.empty() && patterns_.empty(); }

  /// Returns whether the plain path is in the set; patterns are not matched.
  bool contains(std::string_view path) const { return plain_.contains(path); }

  /// Returns whether the set has this path, a pattern that matches it, or a path or pattern below
  /// it.
  bool has_at_or_below(std::string_view path) const;

  /// Returns whether the set has this path or one above or below it, patterns included. The empty
  /// path touches every set that is not empty.
  bool touches(std::string_view path) const;

 private:
  using Paths = std::set<std::string, std::less<>>;
  /// Returns the container that a path belongs to.
  Paths& of(std::string_view path);

  Paths plain_;     // without '*'
  Paths patterns_;  // with '*'
};

}  // namespace knead::schema
