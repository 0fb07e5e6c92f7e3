#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::peers {

/// A key of a file with its value and place.
struct Seen {
  /// Dotted path of the key, at most three names for YAML.
  std::string path;
  /// The value of a scalar without quotes; empty for a list, a block or a section.
  std::string text;
  /// Line of the key in the file, from 1.
  int line = 0;
};

/// The keys of a file down to three levels, which suffice to recognise the trainer. The outline of
/// a file that YAML cannot read is a guess by lines, good enough to name the program in a message.
/// It owns copies of all texts.
class Outline {
 public:
  /// Lists the keys of a parsed file. Keys inside of lists are left out.
  explicit Outline(const schema::Node& root);
  /// Lists the keys of a file that is not YAML: sections and assignments of TOML, INI and Python,
  /// and otherwise keys at the beginning of a line. Adds the key "!new" if a value has a tag of
  /// HyperPyYAML.
  explicit Outline(std::string_view text);

  /// Returns the entry of a dotted key, or null. A "*" in the pattern matches any one name, not
  /// several; of more than one match the alphabetically first is returned. The pointer is valid as
  /// long as the outline.
  const Seen* find(std::string_view pattern) const;

  /// Returns whether the file consists of sections and assignments ("lr = 0.1") and is not YAML.
  /// Always false for a parsed file.
  bool is_of_assignments() const { return is_of_assignments_; }

 private:
  void collect(const std::string& path, const schema::Node& node, int depth);
  /// Keeps the first entry of each path.
  void add(const std::string& path, std::string_view text, int line);

  std::map<std::string, Seen, std::less<>> seen_;
  bool is_of_assignments_ = false;
};

}  // namespace knead::peers
