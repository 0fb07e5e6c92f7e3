#include "schema/merge/shorthand.h"

#include <algorithm>

#include "schema/table/kind_guess.h"

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

/// Returns the list type among the alternatives of a type, or null.
const Type* list_option(const Type& type) {
  if (type.shape == Shape::list) return &type;
  if (type.shape != Shape::either) return nullptr;
  const auto list = std::find_if(type.either.begin(), type.either.end(),
                                 [](const Type* option) { return option->shape == Shape::list; });
  return list == type.either.end() ? nullptr : *list;
}

/// Returns whether a bare value stands for the one key of its block.
bool stands_for_a_key(const Node& node, const Type& type) {
  if (type.scalar_key.empty() || node.is_map()) return false;
  const Type* key = type_of_child(type, type.scalar_key);
  return node.is_scalar() || list_option(*key);
}

/// Returns whether a single value stands for a list of one. A list of a fixed length (betas, rows)
/// always needs its brackets.
bool stands_for_a_list(const Node& node, const Type& type) {
  const Type* list = list_option(type);
  if (!list || node.is_list() || list->min_items > 1) return false;
  return node.is_scalar() || (type.shape == Shape::list && list->items->shape != Shape::number);
}

/// Returns a value of a block or, if the block does not have it, of the nearest layer below.
const Node* find(const Node* block, const Layers& below, std::string_view key) {
  const Node* found = block ? block->find(key) : nullptr;
  for (std::size_t i = 0; !found && i < below.size(); ++i) found = below[i]->find(key);
  return found;
}

/// Returns the values that layers have under a key.
Layers values_of(const Layers& below, std::string_view key) {
  Layers values;
  for (const Node* layer : below) {
    if (const Node* value = layer->find(key)) values.push_back(value);
  }
  return values;
}

/// A block with kinds and the block that holds it, each with its layers below.
struct Chosen {
  const Node* block;
  Layers below;
  const Node* siblings;
  Layers below_siblings;
};

/// Returns the kind that `type` selects, directly or through sets named by `like`. The number of
/// steps is limited, because names may form a cycle.
const Kind* chosen_kind(const Type& type, Chosen at) {
  constexpr int kMostLikes = 4;
  for (int i = 0; i < kMostLikes; ++i) {
    if (const Node* chosen = find(at.block, at.below, "type")) return find_kind(type, chosen->text);
    const Node* like = type.like ? find(at.block, at.below, "like") : nullptr;
    if (!like) break;
    at.block = at.siblings ? at.siblings->find(like->text) : nullptr;
    at.below = values_of(at.below_siblings, like->text);
  }
  const Entry* misspelt = at.block ? type_by_another_name(type, *at.block) : nullptr;
  return misspelt ? find_kind(type, misspelt->value.text) : nullptr;
}

/// Returns the kinds that a block may have, empty if its type has no kinds.
std::vector<const Kind*> possible_kinds(const Type& type, const Chosen& at) {
  if (type.shape != Shape::kinds) return {};
  const Kind* kind = chosen_kind(type, at);
  return kind ? std::vector{kind} : likely_kinds(type, *at.block);
}

/// Returns the type of a key for a block of one of `kinds`.
const Type* type_of(const Type& type, const std::vector<const Kind*>& kinds, std::string_view key) {
  return type.shape == Shape::kinds ? common_type(kinds, key) : type_of_child(type, key);
}

void expand_shorthand(Node& node, const Type& type, const Layers& below, const Node* parent,
                      const Layers& below_parent) {
  if (node.is_null()) return;
  if (stands_for_a_key(node, type)) node = wrapped_in_block(std::move(node), type.scalar_key);
  if (stands_for_a_list(node, type)) node = wrapped_in_list(std::move(node));
  // The kind is asked for after the wrapping, because a bare value may be the `type` itself.
  const auto kinds = possible_kinds(type, {&node, below, parent, below_parent});
  for (Entry& entry : node.entries) {
    if (const Type* child = type_of(type, kinds, entry.key))
      expand_shorthand(entry.value, *child, values_of(below, entry.key), &node, below);
  }
  const Type* list = list_option(type);
  if (!list || !node.is_list()) return;
  for (Node& item : node.items) expand_shorthand(item, *list->items, {}, nullptr, {});
}

}  // namespace

const Type* type_of_entry(const Type& type, const Node& block, const Node* siblings,
                          std::string_view key) {
  return type_of(type, possible_kinds(type, {&block, {}, siblings, {}}), key);
}

void expand_shorthand(Node& node, const Type& type, const Layers& below) {
  expand_shorthand(node, type, below, nullptr, {});
}

}  // namespace knead::schema
