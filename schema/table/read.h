#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/quantity.h"

namespace knead::schema {

/// Converts a node of a validated tree to a value. These functions check nothing, because
/// validation has guaranteed the types: another kind of node gives a wrong value, and a text that
/// is not a quantity throws std::bad_variant_access. The generated reader of recipes calls them for
/// each member of its structs.
void read(const Node& node, bool& out);
void read(const Node& node, std::int64_t& out);
void read(const Node& node, double& out);
void read(const Node& node, std::string& out);
void read(const Node& node, std::filesystem::path& out);
void read(const Node& node, Quantity& out);
void read(const Node& node, Node& out);
void read(const Node& node, std::variant<std::int64_t, std::string>& out);
void read(const Node& node, std::variant<std::string, std::int64_t>& out);

/// Reads a list, and appends its items to `out`, which the caller passes empty.
template <class T>
void read(const Node& node, std::vector<T>& out) {
  out.reserve(node.items.size());
  for (const Node& item : node.items) read(item, out.emplace_back());
}

/// Reads a dictionary in the order written, and appends its entries to `out`.
template <class T>
void read(const Node& node, std::vector<std::pair<std::string, T>>& out) {
  out.reserve(node.entries.size());
  for (const Entry& entry : node.entries) {
    out.emplace_back(entry.key, T{});
    read(entry.value, out.back().second);
  }
}

/// Reads a list or a dictionary. Any value that is not a map is read as a list.
template <class T>
void read(const Node& node,
          std::variant<std::vector<T>, std::vector<std::pair<std::string, T>>>& out) {
  if (node.is_map()) {
    read(node, out.template emplace<1>());
  } else {
    read(node, out.template emplace<0>());
  }
}

/// Reads a key that may be absent or null; `out` then stays empty.
template <class T>
void read_if(const Node& block, std::string_view key, std::optional<T>& out) {
  const Node* value = block.find(key);
  if (value && !value->is_null()) read(*value, out.emplace());
}

}  // namespace knead::schema
