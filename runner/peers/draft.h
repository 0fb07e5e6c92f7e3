#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runner/peers/theirs.h"

namespace knead::peers {

/// One line of the recipe under construction.
struct Setting {
  std::string path;                 // dotted: "optimizer.lr"
  std::string value;                // YAML; empty: the user has to fill it in
  std::string note{};               // text of the comment, after the keys
  std::vector<const Item*> from{};  // the keys that the value comes from
  std::string joint = ", ";         // separates these keys in the comment

  /// Adds a key that the line translates, and marks the key as taken. Ignores null.
  Setting& of(Item* item);
  /// Appends to the note.
  Setting& noted(std::string words);
  /// Returns whether the value has to be filled in.
  bool is_open() const { return value.empty(); }
};

/// A recipe under construction. The lines are written in the order of the language, not of set().
class Draft {
 public:
  /// Adds a line. The reference stays valid as long as the draft.
  Setting& set(std::string path, std::string value);

  /// Adds a line whose value the user has to fill in; `what` describes the value.
  Setting& leave_open(std::string path, std::string what);

  /// Removes the value of the line at `path`, or adds the line without one. Keys that are only
  /// defaults of the other trainer are removed from it.
  Setting& open(const std::string& path, const std::string& what);

  /// Returns whether the draft has a line at `path`.
  bool has(std::string_view path) const;
  const std::deque<Setting>& settings() const { return settings_; }

 private:
  std::deque<Setting> settings_;
};

/// Returns the recipe as YAML with comments; the keys without a counterpart follow at the end.
/// `file` is the name of the imported file, for the first line.
std::string written(const Draft& draft, const Theirs& theirs, const std::string& file);

}  // namespace knead::peers
