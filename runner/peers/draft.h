#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runner/peers/theirs.h"

namespace knead::peers {

/// One line of the recipe under construction: a key, its value and the comment that says where the
/// value comes from. The functions that change it return the line itself, so that calls can be
/// chained.
struct Setting {
  /// Dotted path of the recipe's key: "optimizer.lr".
  std::string path;
  /// The value as YAML on one line. If empty, the line is open: the user has to fill it in.
  std::string value;
  /// Text of the comment after the keys; it is all of the comment of an open line.
  std::string note{};
  /// The keys that the value comes from. They belong to the Theirs that the line was translated
  /// from, which must outlive the line. The keys of an open line are listed above it.
  std::vector<const Item*> from{};
  /// Separates the keys in the comment, such as " × " for the factors of a product.
  std::string joint = ", ";

  /// Adds a key that the line translates and marks the key as taken, so that it is not reported
  /// again. Ignores null.
  Setting& of(Item* item);
  /// Appends to the note after "; ".
  Setting& noted(std::string words);
  /// Returns whether the value has to be filled in.
  bool is_open() const { return value.empty(); }
};

/// A recipe under construction. Lines may be added in any order: written() sorts them by the order
/// of the language.
class Draft {
 public:
  /// Adds a line; an empty value leaves it open. Does not look for an earlier line at `path`, so
  /// the caller adds each path once. The reference stays valid as long as the draft.
  Setting& set(std::string path, std::string value);

  /// Adds a line whose value the user has to fill in; `what` describes the value, and the comment
  /// becomes "FILL IN: what". The reference stays valid as long as the draft.
  Setting& leave_open(std::string path, std::string what);

  /// Removes the value of the line at `path`, or adds the line without one; a line that is open
  /// already stays as it is. Keys that are only defaults of the other trainer are removed from the
  /// line, because they do not apply to the value that the user writes.
  Setting& open(const std::string& path, const std::string& what);

  /// Returns whether the draft has a line at `path`, open or not.
  bool has(std::string_view path) const;
  /// Returns the lines in the order in which they were added.
  const std::deque<Setting>& settings() const { return settings_; }

 private:
  std::deque<Setting> settings_;
};

/// Returns the recipe as YAML with comments, at most 100 columns wide where words allow. The first
/// line counts the keys by what became of them; keys without a line follow at the end, grouped by
/// their reasons. `theirs` must be settled, and the lines of `draft` must refer to its items.
/// `file` is the name of the imported file, for the first line. Pure: does no I/O.
std::string written(const Draft& draft, const Theirs& theirs, const std::string& file);

}  // namespace knead::peers
