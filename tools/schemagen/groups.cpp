#include "tools/schemagen/groups.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/schemagen/dialect.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Node;

constexpr std::string_view kGroup = "x-group";
constexpr std::string_view kMoreKeys = "x-group-keys";
constexpr std::string_view kDefinitions = "#/$defs/";

/// Returns the definition that the $ref of a node names, or null.
const Entry* definition_of(const Node& node, const Node& definitions) {
  const Node* ref = node.find("$ref");
  if (!ref || !ref->text.starts_with(kDefinitions)) return nullptr;
  return definitions.entry(std::string_view(ref->text).substr(kDefinitions.size()));
}

/// Holds the definitions behind a key whose value is a list of groups.
struct GroupList {
  const Entry* list = nullptr;
  const Entry* group = nullptr;
};

/// Returns the definitions behind a key; both are null if its value is not a list of groups.
GroupList group_list(const Node& key, const Node& definitions) {
  const Entry* list = definition_of(key, definitions);
  const Node* items = list ? list->value.find("items") : nullptr;
  const Entry* group = items ? definition_of(*items, definitions) : nullptr;
  if (!group || !group->value.find(kGroup)) return {};
  return {list, group};
}

void say_kind(Node& description, const std::string& kind) {
  static constexpr std::string_view kHole = "{type}";
  const std::size_t at = description.text.find(kHole);
  if (at != std::string::npos) description.text.replace(at, kHole.size(), kind);
}

/// Returns the group of a block whose list of groups stands at `list`.
Node group_of(const Node& block, const Entry& list, Node group) {
  const Node computed = group.at(kGroup);
  group.erase(kGroup);
  Node& keys = *group.find("properties");
  for (const Entry& entry : block.at("properties").entries) {
    if (const Node* kind = entry.value.find("const")) {
      if (Node* description = group.find("description")) say_kind(*description, kind->text);
      continue;
    }
    if (entry.key == list.key || keys.find(entry.key)) continue;
    Entry option = entry;
    option.value.erase("default");
    option.value.erase("x-default");
    option.value.entries.push_back({"x-default", computed.place, computed});
    keys.entries.push_back(std::move(option));
  }
  if (const Node* more = list.value.find(kMoreKeys)) keys = schema::merged(keys, *more);
  return group;
}

/// Returns a list of groups as its block holds it: its items have the definition `name`.
Node list_of(const std::string& name, Node list, Node beside) {
  list.find("items")->find("$ref")->text = std::string(kDefinitions) + name;
  beside.erase("$ref");
  beside.erase(kMoreKeys);
  return schema::merged(std::move(list), std::move(beside));
}

}  // namespace

void derive_groups(Node& document) {
  Node* definitions = document.find("$defs");
  if (!definitions) return;
  Node derived;
  std::set<std::string> used;
  for (Entry& block : definitions->entries) {
    Node* keys = block.value.find("properties");
    if (!keys) continue;
    for (Entry& key : keys->entries) {
      const auto [list, group] = group_list(key.value, *definitions);
      if (!group) continue;
      const std::string name = block.key + group->key;
      if (definitions->find(name) || derived.find(name))
        refuse(key.place, fmt::format("'{}' is declared already", name));
      derived.entries.push_back({name, key.place, group_of(block.value, key, group->value)});
      used.insert({list->key, group->key});
      key.value = list_of(name, list->value, key.value);
    }
  }
  for (Entry& group : derived.entries) definitions->entries.push_back(std::move(group));
  for (const std::string& name : used) definitions->erase(name);
}

}  // namespace knead::schemagen
