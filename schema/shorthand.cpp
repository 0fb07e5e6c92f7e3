#include "schema/shorthand.h"

#include <algorithm>

namespace knead::schema {
namespace {

Node wrapped_in_list(Node node) {
  Node list;
  list.kind = Node::Kind::list;
  list.place = node.place;
  list.is_shorthand = true;
  list.items.push_back(std::move(node));
  return list;
}

Node wrapped_in_block(Node node, std::string_view key) {
  Node block;
  block.kind = Node::Kind::map;
  block.place = node.place;
  block.is_shorthand = true;
  const Place place = node.place;
  block.entries.push_back({std::string(key), place, std::move(node)});
  return block;
}

const Type* list_option(const Type& type) {
  if (type.shape == Shape::list) return &type;
  if (type.shape != Shape::either) return nullptr;
  const auto list = std::find_if(type.either.begin(), type.either.end(),
                                 [](const Type* option) { return option->shape == Shape::list; });
  return list == type.either.end() ? nullptr : *list;
}

bool stands_for_a_key(const Node& node, const Type& type) {
  if (type.scalar_key.empty() || node.is_map()) return false;
  const Type* key = type_of_child(type, type.scalar_key);
  return node.is_scalar() || list_option(*key);
}

/// A list of a fixed length (betas, rows) is always written with brackets.
bool stands_for_a_list(const Node& node, const Type& type) {
  const Type* list = list_option(type);
  if (!list || node.is_list() || list->min_items > 1) return false;
  return node.is_scalar() || (type.shape == Shape::list && list->items->shape != Shape::number);
}

/// What chooses the kind of a block, through as many `like` as there may be sets.
const Kind* chosen_kind(const Type& type, const Node* block, const Node* siblings) {
  constexpr int kMostLikes = 4;
  for (int i = 0; block && i < kMostLikes; ++i) {
    if (const Node* chosen = block->find("type")) return find_kind(type, chosen->text);
    const Node* like = type.like ? block->find("like") : nullptr;
    block = like && siblings ? siblings->find(like->text) : nullptr;
  }
  return nullptr;
}

void expand(Node& node, const Type& type, const Node* parent) {
  if (node.is_null()) return;
  if (stands_for_a_key(node, type)) node = wrapped_in_block(std::move(node), type.scalar_key);
  if (stands_for_a_list(node, type)) node = wrapped_in_list(std::move(node));
  for (Entry& entry : node.entries) {
    if (const Type* child = type_of_entry(type, node, parent, entry.key))
      expand(entry.value, *child, &node);
  }
  const Type* list = list_option(type);
  if (!list || !node.is_list()) return;
  for (Node& item : node.items) expand(item, *list->items, nullptr);
}

}  // namespace

const Type* type_of_entry(const Type& type, const Node& block, const Node* siblings,
                          std::string_view key) {
  const Kind* kind = type.shape == Shape::kinds ? chosen_kind(type, &block, siblings) : nullptr;
  return type_of_child(kind ? *kind->type : type, key);
}

void expand_shorthand(Node& node, const Type& type) { expand(node, type, nullptr); }

}  // namespace knead::schema
