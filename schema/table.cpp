#include "schema/table.h"

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
    case Shape::list:
    case Shape::dictionary: return type.items;
    default: return nullptr;
  }
}

const Type* type_at(const Type& root, std::string_view path) {
  const Type* here = &root;
  while (here && !path.empty()) {
    const std::size_t dot = path.find('.');
    here = type_of_child(*here, path.substr(0, dot));
    path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
  }
  return here;
}

}  // namespace knead::schema
