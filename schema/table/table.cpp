#include "schema/table/table.h"

namespace knead::schema {

const Key* find_key(const Type& block, std::string_view name) {
  for (const Key& key : block.keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

const Kind* find_kind(const Type& kinds, std::string_view name) {
  for (const Kind& kind : kinds.kinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

const Type* type_of_child(const Type& type, std::string_view name) {
  switch (type.shape) {
    case Shape::block: {
      const Key* key = find_key(type, name);
      return key ? key->type : nullptr;
    }
    case Shape::kinds:
      for (const Kind& kind : type.kinds) {
        if (const Type* child = type_of_child(*kind.type, name)) return child;
      }
      return nullptr;
    case Shape::either:
      for (const Type* option : type.either) {
        if (const Type* child = type_of_child(*option, name)) return child;
      }
      return nullptr;
    // A step of a path is here the number of an item, a name of the user, or '*'.
    case Shape::list:
    case Shape::dictionary: return type.items;
    default: return nullptr;
  }
}

const Type* type_at(const Type& root, std::string_view path) {
  if (path.empty()) return &root;
  // Different kinds may have different types under one name; the first one found is returned.
  for (const Kind& kind : root.kinds) {
    if (const Type* found = type_at(*kind.type, path)) return found;
  }
  const std::size_t dot = path.find('.');
  const Type* child = root.kinds.empty() ? type_of_child(root, path.substr(0, dot)) : nullptr;
  if (!child || dot == path.npos) return child;
  return type_at(*child, path.substr(dot + 1));
}

}  // namespace knead::schema
