#include "schema/table/kind_guess.h"

#include <algorithm>

namespace knead::schema {
namespace {

/// Returns whether two types accept the same values, so that a value can be checked without its
/// kind.
bool are_alike(const Type* a, const Type* b) {
  if (a == b) return true;
  if (!a || !b || a->shape != b->shape) return false;
  const auto same = [](const auto& one, const auto& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  };
  return a->name == b->name && a->format == b->format && same(a->choices, b->choices) &&
         same(a->units, b->units) && a->bare == b->bare && a->has_minimum == b->has_minimum &&
         a->exclusive == b->exclusive && a->minimum == b->minimum &&
         a->has_maximum == b->has_maximum && a->maximum == b->maximum &&
         a->min_items == b->min_items && a->max_items == b->max_items &&
         are_alike(a->items, b->items) && a->keys.data() == b->keys.data() &&
         a->kinds.data() == b->kinds.data() && a->either.data() == b->either.data();
}

}  // namespace

const Entry* type_by_another_name(const Type& type, const Node& block) {
  for (const Entry& entry : block.entries) {
    const bool names_kind =
        entry.value.kind == Node::Kind::text && find_kind(type, entry.value.text);
    if (names_kind && !type_of_child(type, entry.key)) return &entry;
  }
  return nullptr;
}

std::vector<const Kind*> likely_kinds(const Type& type, const Node& block) {
  std::vector<const Kind*> likely;
  std::ptrdiff_t most = -1;
  for (const Kind& kind : type.kinds) {
    const auto known =
        std::count_if(block.entries.begin(), block.entries.end(),
                      [&](const Entry& entry) { return find_key(*kind.type, entry.key); });
    if (known > most) likely.clear();
    if (known >= most) likely.push_back(&kind);
    most = std::max(most, known);
  }
  return likely;
}

const Type* common_type(const std::vector<const Kind*>& kinds, std::string_view key) {
  const Type* common = nullptr;
  for (const Kind* kind : kinds) {
    const Key* found = find_key(*kind->type, key);
    if (!found) continue;
    if (common && !are_alike(common, found->type)) return nullptr;
    common = found->type;
  }
  return common;
}

}  // namespace knead::schema
