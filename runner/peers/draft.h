#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runner/peers/theirs.h"

namespace knead::peers {

/// A line of the recipe that is being written.
struct Setting {
  std::string path;    // dotted: "optimizer.lr"
  std::string value;   // YAML; empty where only the reader knows it
  std::string note{};  // what a person should know besides
  std::vector<const Item*> from{};
  std::string joint = ", ";  // between the keys it is from

  /// It says what this key of theirs says, which is now accounted for. Null is nothing.
  Setting& of(Item* item);
  Setting& noted(std::string words);
  bool is_open() const { return value.empty(); }
};

/// A recipe, line by line. Lines are written in the order of the language.
class Draft {
 public:
  /// Adds a line. The reference stays good.
  Setting& set(std::string path, std::string value);

  /// A line whose value has to be filled in, and with what.
  Setting& leave_open(std::string path, std::string what);

  /// Opens the line of a path, whether it is written or not. What is usual there leaves it.
  Setting& open(const std::string& path, const std::string& what);

  bool has(std::string_view path) const;
  const std::deque<Setting>& settings() const { return settings_; }

 private:
  std::deque<Setting> settings_;
};

/// The recipe with its comments, ending with what has no counterpart. `file`: its name, for the
/// first line.
std::string written(const Draft& draft, const Theirs& theirs, const std::string& file);

}  // namespace knead::peers
