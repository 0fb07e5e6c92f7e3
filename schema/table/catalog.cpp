#include "schema/table/catalog.h"

#include <fmt/format.h>

namespace knead::schema {
namespace {

std::string joined(std::string_view block, std::string_view name) {
  return block.empty() ? std::string(name) : fmt::format("{}.{}", block, name);
}

/// Adds the keys of a type and of all types below it. `kind` is the kind that the keys depend on.
void collect(const Type& type, const std::string& path, const std::string& kind,
             std::vector<Listed>& all) {
  for (const Key& key : type.keys) {
    all.push_back({path, kind, &key});
    // The recursion ends, because no type contains itself: the sets of a mix have a type of their
    // own.
    collect(*key.type, joined(path, key.name), "", all);
  }
  for (const Kind& one : type.kinds) collect(*one.type, path, std::string(one.name), all);
  if (type.items) collect(*type.items, joined(path, "*"), "", all);
  for (const Type* option : type.either) collect(*option, path, "", all);
}

}  // namespace

std::string Listed::path() const { return joined(block, key->name); }

bool Listed::is_at(std::string_view path) const {
  if (block.empty()) return path == key->name;
  return path.size() == block.size() + 1 + key->name.size() && path.starts_with(block) &&
         path[block.size()] == '.' && path.ends_with(key->name);
}

Brought brought(std::string_view also) {
  const std::size_t colon = also.find(": ");
  if (colon == also.npos) return {also, {}};
  return {also.substr(0, colon), also.substr(colon + 2)};
}

std::vector<Listed> every_key(const Type& root) {
  std::vector<Listed> all;
  collect(root, "", "", all);
  return all;
}

std::string without_stars(std::string path) {
  for (std::size_t star = path.find(".*"); star != path.npos; star = path.find(".*"))
    path.erase(star, 2);
  return path;
}

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::size_t pattern_dot = std::min(pattern.find('.'), pattern.size());
    const std::size_t path_dot = std::min(path.find('.'), path.size());
    const std::string_view wanted = pattern.substr(0, pattern_dot);
    if (wanted != "*" && wanted != path.substr(0, path_dot)) return false;
    pattern.remove_prefix(std::min(pattern_dot + 1, pattern.size()));
    path.remove_prefix(std::min(path_dot + 1, path.size()));
  }
  return pattern.empty() && path.empty();
}

const Type* block_of(const Type* type, const Node& node) {
  if (!type || type->shape != Shape::kinds) return type;
  const Node* chosen = node.find("type");
  const Kind* kind = chosen ? find_kind(*type, chosen->text) : nullptr;
  return kind ? kind->type : nullptr;
}

}  // namespace knead::schema
