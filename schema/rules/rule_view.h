#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "schema/document/problem.h"
#include "schema/document/quantity.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// A validated tree as rules see it: what is doubtful looks as if it were not there, and is not
/// missing either.
class RuleView {
 public:
  RuleView(const Checked& recipe, Problems& problems);

  /// The value at a dotted path, a default or a written one; null if it is absent or doubtful.
  const Node* find(std::string_view path) const;

  /// The same, but null for a default.
  const Node* written(std::string_view path) const;

  /// The same, but null too for what `render` writes out: a default, or a block with all of its
  /// defaults.
  const Node* meant(std::string_view path) const;

  /// True if the path is not there and nothing suggests that somebody meant it.
  bool is_absent(std::string_view path) const;

  /// Where a null was written at a path; no place where none was.
  Place removed_place(std::string_view path) const;

  std::optional<double> number(std::string_view path) const;
  std::optional<Quantity> quantity(std::string_view path) const;
  std::string text(std::string_view path) const;

  /// The place of the key, or of the list item, at a path.
  Place key_place(std::string_view path) const;

  /// "line 22", "base.yaml line 3", "override 1" or "the default".
  std::string where(std::string_view path) const;

  /// "train.until (line 22)".
  std::string reference(std::string_view path) const;

  /// A path as the recipe at hand would write it: relative to the file that names it, or to the
  /// current directory.
  std::string shown_path(const Node& node) const;

  void error(std::string code, const Place& place, std::string message,
             std::string hint = "") const;
  void warning(std::string code, const Place& place, std::string message,
               std::string hint = "") const;

 private:
  void report(Problem problem) const;

  const Checked& recipe_;
  Problems& problems_;
  /// The code and place of each problem.
  mutable std::set<std::tuple<std::string, const Source*, std::size_t>> reported_;
};

/// Whether two values say the same, wherever they stand.
bool say_the_same(const Node& a, const Node& b);

/// Whether a text is one of a few.
inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace knead::schema
