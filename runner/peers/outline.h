#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::peers {

/// A key of a file with its value and place.
struct Seen {
  std::string path;  // dotted
  std::string text;  // of a scalar, otherwise empty
  int line = 0;      // from 1
};

/// The keys of a file down to three levels, which suffice to recognise the trainer.
class Outline {
 public:
  /// Lists the keys of a parsed file.
  explicit Outline(const schema::Node& root);
  /// Lists the keys of a file that is not YAML: sections and assignments of TOML, INI and Python,
  /// and otherwise keys at the beginning of a line. Adds the key "!new" if a value has a tag of
  /// HyperPyYAML.
  explicit Outline(std::string_view text);

  /// Returns the entry of a dotted key, or null. A "*" in the pattern matches any one name.
  const Seen* find(std::string_view pattern) const;

  /// Returns whether the file consists of sections and assignments ("lr = 0.1") and is not YAML.
  bool is_of_assignments() const { return is_of_assignments_; }

 private:
  void collect(const std::string& path, const schema::Node& node, int depth);
  /// Keeps the first entry of each path.
  void add(const std::string& path, std::string_view text, int line);

  std::map<std::string, Seen, std::less<>> seen_;
  bool is_of_assignments_ = false;
};

}  // namespace knead::peers
