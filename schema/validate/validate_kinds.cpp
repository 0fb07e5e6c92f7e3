#include <algorithm>

#include <fmt/format.h>

#include "schema/table/kind_guess.h"
#include "schema/validate/validator.h"

namespace knead::schema {
namespace {

constexpr Type kText{.shape = Shape::text};

std::vector<std::string_view> names_of_kinds(std::span<const Kind> kinds) {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::string kinds_hint(const Type& type) {
  return fmt::format("{} {}", type.kinds.size() == 1 ? "there is" : "one of",
                     fmt::join(names_of_kinds(type.kinds), ", "));
}

/// Returns the hint for a missing `type`: the kind that the other keys belong to, if only one does.
std::string kinds_hint(const Type& type, const std::vector<const Kind*>& likely) {
  if (likely.size() > 1 || type.kinds.size() == 1) return kinds_hint(type);
  return fmt::format("did you mean 'type: {}'? ({})", likely[0]->name,
                     fmt::join(names_of_kinds(type.kinds), ", "));
}

/// Returns a kind that is written as a key: `accuracy: {top: 5}`.
const Entry* kind_as_key(const Type& type, const Node& node) {
  const auto found = std::find_if(node.entries.begin(), node.entries.end(), [&](const Entry& e) {
    return find_kind(type, e.key) && !type_of_child(type, e.key);
  });
  return found == node.entries.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Node> Validator::kinds(const Type& type, const Node& node, const Where& where) {
  if (!node.is_map()) return not_a_block(type, node, where);
  const Entry* chosen = node.entry("type");
  findings_.doubt(where.path);  // until the kind is known
  if (!chosen || chosen->value.is_null()) {
    without_kind(type, node, where);
    return std::nullopt;
  }
  const Where type_where = where.child("type", chosen->place);
  if (chosen->value.broken) return std::nullopt;
  if (chosen->value.kind != Node::Kind::text) {
    return fail_at(type_where, chosen->value, wrong_type(kText, chosen->value, type_where.path));
  }
  const Kind* kind = find_kind(type, chosen->value.text);
  if (!kind) {
    return fail_at(type_where, chosen->value,
                   unknown_choice(chosen->value.text, type_where.path, names_of_kinds(type.kinds)));
  }
  findings_.trust(where.path);
  return block(*kind->type, node, where, kind->name);
}

void Validator::without_kind(const Type& type, const Node& node, const Where& where) {
  const Entry* chosen = node.entry("type");
  if (const Entry* named = kind_as_key(type, node)) {
    fail(where, named->place,
         {"wrong-type", fmt::format("'{}' is a type of {}", named->key, where.path),
          fmt::format("write {{type: {}, …}}", named->key)});
    return;
  }
  const Entry* slip = chosen ? nullptr : type_by_another_name(type, node);
  if (slip) return with_kind_misspelt(type, node, where, *slip);
  if (!chosen && node.is_incomplete) return;

  const std::vector<const Kind*> likely = likely_kinds(type, node);
  check_as_far_as_certain(type, likely, node, where);
  const std::unordered_set<std::string_view> keys = keys_of(node);
  for (const Entry& entry : node.entries) {
    if (!entry.value.is_null() && !type_of_child(type, entry.key))
      unknown(entry, {*likely[0]->type, where.path, "", keys}, where, chosen);
  }
  if (chosen && chosen->value.empty) {
    fail(where, chosen->place,
         {"empty-value", fmt::format("'{}.type' has no value", where.path),
          kinds_hint(type, likely)});
    return;
  }
  const Node* like = node.find("like");
  const Key* can_be_like = find_key(*type.kinds[0].type, "like");  // sets only
  if (can_be_like && like && (like->empty || !like->is_null())) {
    value_of(*can_be_like, node, where);
  } else {
    findings_.postpone(
        where.child("type", {}), where.key,
        {"missing-key", fmt::format("{} needs 'type'", where.path), kinds_hint(type, likely)},
        {where.path + ".like"});
  }
}

/// With `kind: adamw` the block is checked as adamw, so that it has one problem only.
void Validator::with_kind_misspelt(const Type& type, const Node& node, const Where& where,
                                   const Entry& slip) {
  const std::string path = where.child("type", {}).path;
  findings_.report_unknown_key(
      slip.place, slip.key,
      {"unknown-key", fmt::format("unknown key '{}' in {}", slip.key, where.path),
       "did you mean 'type'?"},
      {path});
  Node meant = node;
  meant.entry(slip.key)->key = "type";
  const Kind& kind = *find_kind(type, slip.value.text);
  block(*kind.type, meant, where, kind.name);
}

void Validator::check_as_far_as_certain(const Type& type, const std::vector<const Kind*>& kinds,
                                        const Node& node, const Where& where) {
  for (const Entry& entry : node.entries) {
    const bool is_told = entry.key == "type" || entry.key == "like";
    if (!is_told && entry.value.empty && type_of_child(type, entry.key)) {
      empty_of_unknown_kind(type, entry, where);
    }
    const Type* child = common_type(kinds, entry.key);
    if (child && entry.key != "like" && !entry.value.is_null())
      check(*child, entry.value, where.child(entry.key, entry.place));
  }
}

}  // namespace knead::schema
