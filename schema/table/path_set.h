#pragma once

#include <set>
#include <string>
#include <string_view>

namespace knead::schema {

/// Dotted paths, some of them patterns with '*' for any step. A question about a path looks at the
/// patterns and at a few of the others, not at all of them: a recipe may have tens of thousands.
class PathSet {
 public:
  void insert(std::string path);
  void erase(const std::string& path) { of(path).erase(path); }
  bool empty() const { return plain_.empty() && patterns_.empty(); }

  bool contains(std::string_view path) const { return plain_.contains(path); }

  /// Whether one of them is this path, or begins with it.
  bool has_at_or_below(std::string_view path) const;

  /// Whether one of them is this path, or stands above or below it.
  bool touches(std::string_view path) const;

 private:
  using Paths = std::set<std::string, std::less<>>;
  Paths& of(std::string_view path);

  Paths plain_;
  Paths patterns_;
};

}  // namespace knead::schema
