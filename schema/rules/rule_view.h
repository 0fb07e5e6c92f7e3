#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/document/problem.h"
#include "schema/document/quantity.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// A quantity that a recipe writes.
struct WrittenQuantity {
  std::string path;  // dotted, with list items by number
  Quantity quantity;
  Place place;
};

/// The view of a validated tree that rules use. A doubtful value is neither found nor absent, so
/// that rules stay silent about it.
///
/// A rule that needs a value asks find() or one of the typed functions; a rule that requires one
/// asks is_absent(), never `!find()`. Paths are dotted, with list items by number, and must exist
/// in the schema, which an assertion checks. Returned pointers are valid as long as the tree. Both
/// arguments of the constructor must outlive the view. One thread may use it at a time.
class RuleView {
 public:
  RuleView(const Checked& recipe, Problems& problems);

  /// Returns the value at a dotted path, written or default, or null if it is absent, null or
  /// doubtful.
  const Node* find(std::string_view path) const;

  /// Returns the value at a dotted path, or null if it is absent, doubtful or a default.
  const Node* written(std::string_view path) const;

  /// Returns the value at a dotted path, or null if `render` would write it without being given it:
  /// a default, the text of a default, or a block with all of its defaults. Rules that refuse a key
  /// use it, so that a rendered recipe passes them. The last block of the path must not have kinds.
  const Node* meant(std::string_view path) const;

  /// Returns whether the path is absent and not doubtful.
  bool is_absent(std::string_view path) const;

  /// Returns the place where null was written at a path, or an empty place if none was.
  Place removed_place(std::string_view path) const;

  /// Returns the number at a path, or std::nullopt if it is absent or doubtful.
  std::optional<double> number(std::string_view path) const;
  /// Returns the quantity at a path, or std::nullopt if it is absent or doubtful. A bare number
  /// counts rows.
  std::optional<Quantity> quantity(std::string_view path) const;
  /// Returns all quantities that the recipe writes, whatever their keys, in the schema's order.
  /// Defaults and doubtful values are not among them.
  std::vector<WrittenQuantity> written_quantities() const;
  /// Returns the text at a path, or an empty text if it is absent or doubtful.
  std::string text(std::string_view path) const;

  /// Returns the place of the key, or of the list item, at a path; for a default and for an absent
  /// key, the place of the innermost block around it that is written. Does not ask whether the path
  /// is doubtful.
  Place key_place(std::string_view path) const;

  /// Returns the place of a key for messages: "line 22", "base.yaml line 3", "override 1" or "the
  /// default".
  std::string where(std::string_view path) const;

  /// Returns a path with its place: "train.until (line 22)".
  std::string reference(std::string_view path) const;

  /// Returns a path as the recipe would write it: relative to the file that names it, or to the
  /// current directory for an argument.
  std::string shown_path(const Node& node) const;

  /// Adds an error. `place` must not be empty. A second problem with the same code and place is
  /// dropped.
  void error(std::string code, const Place& place, std::string message,
             std::string hint = "") const;
  /// Adds a warning. `place` must not be empty.
  void warning(std::string code, const Place& place, std::string message,
               std::string hint = "") const;

 private:
  /// Returns the place of the key, or of the list item, at a path; an empty place for a default and
  /// for an absent key.
  Place own_place(std::string_view path) const;

  /// Adds a problem unless one with the same code and place exists.
  void report(Problem problem) const;

  const Checked& recipe_;
  Problems& problems_;
  /// The code and place of each problem so far.
  mutable std::set<std::tuple<std::string, const Source*, std::size_t>> reported_;
};

/// Returns whether two values are equal, wherever they are written.
bool say_the_same(const Node& a, const Node& b);

/// Returns whether `word` is one of `words`.
inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace knead::schema
