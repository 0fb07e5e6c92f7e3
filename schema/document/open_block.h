#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// A list or map that is being read: its keys become distinct, its `<<` merges are done at its end.
struct OpenBlock {
  Node node;
  bool in_flow = false;
  std::size_t anchor = 0;          // 0: none
  std::optional<std::string> key;  // read, its value not yet
  Place key_place;

  bool awaits_key() const { return node.is_map() && !key; }

  void begin_entry(const Node& key_node);

  /// Adds the value of the key that was read.
  void end_entry(Node value, Problems& problems);

  /// Keys written out win over merged ones, then earlier blocks of the merged list.
  void merge();

 private:
  void set_merges(Node value, Problems& problems);

  bool key_is_merge_ = false;
  std::vector<Node> merges_;
  static constexpr std::size_t kMerge = std::string::npos;
  std::unordered_map<std::string, std::size_t> keys_;  // which entry each is, or kMerge
};

}  // namespace knead::schema
