#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::peers {

/// What a file writes under a dotted key, and where.
struct Seen {
  std::string path;
  std::string text;  // of a scalar; else empty
  int line = 0;      // from 1
};

/// The keys of a file, three levels deep: what is needed to see whose it is.
class Outline {
 public:
  /// Of a file that is read.
  explicit Outline(const schema::Node& root);
  /// Of a file that is no YAML: sections and assignments of TOML, INI and Python, else the keys
  /// that begin lines. "!new" is there where a value has a tag of HyperPyYAML.
  explicit Outline(std::string_view text);

  /// The entry of a dotted key; one that is "*" stands for any in its place. Null if there is none.
  const Seen* find(std::string_view pattern) const;

  /// Whether the file is sections and assignments ("lr = 0.1"), and so no YAML.
  bool is_of_assignments() const { return is_of_assignments_; }

 private:
  void collect(const std::string& path, const schema::Node& node, int depth);
  void add(const std::string& path, std::string_view text, int line);

  std::map<std::string, Seen, std::less<>> seen_;
  bool is_of_assignments_ = false;
};

}  // namespace knead::peers
