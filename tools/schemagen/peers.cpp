#include "tools/schemagen/peers.h"

#include <fmt/format.h>

#include "tools/schemagen/dialect.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Node;

constexpr std::string_view kNames = "x-also";

void give(const Entry& names, Node& key) {
  if (!names.value.is_list())
    refuse(names.place, fmt::format("the names for '{}' are no list", names.key));
  key.entries.push_back({std::string(kNames), names.place, names.value});
}

void give_to_keys(const Entry& names, Node& block) {
  Node* keys = block.find("properties");
  for (const Entry& entry : names.value.entries) {
    Node* key = keys ? keys->find(entry.key) : nullptr;
    if (!key) refuse(entry.place, fmt::format("'{}' has no key '{}'", names.key, entry.key));
    give(entry, *key);
  }
}

}  // namespace

void add_peer_names(const Node& peers, Node& document) {
  Node* definitions = document.find("$defs");
  for (const Entry& names : peers.entries) {
    if (names.key == "Recipe") {
      give_to_keys(names, document);
      continue;
    }
    Node* definition = definitions ? definitions->find(names.key) : nullptr;
    if (!definition) refuse(names.place, fmt::format("'{}' is not defined", names.key));
    names.value.is_map() ? give_to_keys(names, *definition) : give(names, *definition);
  }
}

void refuse_peer_names(const Node& file) {
  for (const Entry& entry : file.entries) {
    if (entry.key == kNames) refuse(entry.place, "names of other trainers belong to peers.yaml");
    refuse_peer_names(entry.value);
  }
  for (const Node& item : file.items) refuse_peer_names(item);
}

}  // namespace knead::schemagen
