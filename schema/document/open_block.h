#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// A list or map that the parser is still reading. It keeps keys distinct, and applies `<<` merges
/// at its end.
///
/// For a map, calls of begin_entry() and end_entry() alternate, one pair for each key, and merge()
/// follows the last pair. The items of a list are appended to `node.items` directly.
struct OpenBlock {
  Node node;
  bool in_flow = false;
  std::size_t anchor = 0;          // yaml-cpp's number; 0: no anchor
  std::optional<std::string> key;  // set between a key and its value
  Place key_place;

  /// Returns whether the next node is a key.
  bool awaits_key() const { return node.is_map() && !key; }

  /// Takes a scalar as the key of the next entry. Only an unquoted `<<` is a merge.
  void begin_entry(const Node& key_node);

  /// Adds the value of the current key. Reports a key that the map has already, and drops the
  /// value: the first one stays.
  void end_entry(Node value, Problems& problems);

  /// Adds the keys of `<<` blocks after the keys of the map, and moves the values out of the merge
  /// list. Keys of the map itself win, then earlier blocks of the merge list, as in YAML 1.1's
  /// merge type (yaml.org/type/merge.html).
  void merge();

 private:
  /// Keeps the blocks of a `<<`, and reports the first value that is not a map.
  void set_merges(Node value, Problems& problems);

  bool key_is_merge_ = false;
  std::vector<Node> merges_;
  static constexpr std::size_t kMerge = std::string::npos;
  std::unordered_map<std::string, std::size_t> keys_;  // index in node.entries, or kMerge
};

}  // namespace knead::schema
