#include "schema/document/node.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <unordered_map>

namespace knead::schema {

const Entry* Node::entry(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

Entry* Node::entry(std::string_view key) {
  return const_cast<Entry*>(static_cast<const Node*>(this)->entry(key));
}

const Node* Node::find(std::string_view key) const {
  const Entry* found = entry(key);
  return found ? &found->value : nullptr;
}

Node* Node::find(std::string_view key) {
  Entry* found = entry(key);
  return found ? &found->value : nullptr;
}

const Node& Node::at(std::string_view key) const {
  const Node* found = find(key);
  assert(found);
  return *found;
}

void Node::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

const Node* find_path(const Node& node, std::string_view path) {
  const Node* here = &node;
  while (here && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    if (here->is_list()) {
      std::size_t index = here->items.size();
      // The number must be the whole step: "1x" must not find item 1.
      const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
      const bool whole = read.ec == std::errc() && read.ptr == step.data() + step.size();
      here = whole && index < here->items.size() ? &here->items[index] : nullptr;
    } else {
      const Node* entry = here->find(step);
      // A name that has dots, as in sweep.over, is the rest of the path.
      if (!entry) return here->find(path);
      here = entry;
    }
    path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
  }
  return here;
}

std::size_t count_nodes(const Node& node) {
  std::size_t n = 1;
  for (const Node& item : node.items) n += count_nodes(item);
  for (const Entry& entry : node.entries) n += count_nodes(entry.value);
  return n;
}

std::size_t count_text(const Node& node) {
  std::size_t n = node.text.size();
  for (const Node& item : node.items) n += count_text(item);
  for (const Entry& entry : node.entries) n += entry.key.size() + count_text(entry.value);
  return n;
}

Node without_children(const Node& node) {
  Node alone;
  static_cast<Written&>(alone) = node;
  return alone;
}

Node merged(Node base, Node over) {
  if (!base.is_map() || !over.is_map()) {
    // The old value is needed later: a null removes a key only if it replaced a value, and a hint
    // names a `type` that another file has changed.
    over.replaced = std::make_shared<const Node>(std::move(base));
    return over;
  }
  std::vector<Entry> entries = std::move(base.entries);
  entries.reserve(entries.size() + over.entries.size());  // `index` refers to the keys
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < entries.size(); ++i) index.emplace(entries[i].key, i);
  for (Entry& entry : over.entries) {
    const auto known = index.find(entry.key);
    if (known == index.end()) {
      entries.push_back(std::move(entry));
    } else {
      Entry& below = entries[known->second];
      // The later text decided the value, so problems of the key are shown there.
      below.place = entry.place;
      below.value = merged(std::move(below.value), std::move(entry.value));
    }
  }
  over.entries = std::move(entries);
  // Keys that a failed '<<' of the base would have given are not missing in the result either.
  over.is_incomplete = over.is_incomplete || base.is_incomplete;
  return over;
}

std::string_view kind_in_words(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::boolean: return "a boolean";
    case Node::Kind::integer: return "a whole number";
    case Node::Kind::number: return "a number";
    case Node::Kind::text: return "text";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a block of keys";
  }
  return "";
}

Node text_node(std::string text, Place place) {
  Node node;
  node.kind = Node::Kind::text;
  node.text = std::move(text);
  node.place = std::move(place);
  return node;
}

}  // namespace knead::schema
