#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// A key with the place it has in the language.
struct Listed {
  std::string
      block;  // dotted path of its block, '*' for any item or name: "expect.*"; empty at the top
  std::string kind;  // the `type` of its block, where keys depend on it
  const Key* key;

  std::string path() const;
};

/// A name that people bring along from elsewhere, and what it is here; no words where it is the key
/// that it stands at, and nothing else.
struct Brought {
  std::string_view name;
  std::string_view words;
};

/// Reads an item of Key::also: "name" or "name: words".
Brought brought(std::string_view also);

/// Every key of a language, in the schema's order; a key of several kinds once for each.
std::vector<Listed> every_key(const Type& root);

/// "expect.*.metric" as a person would say it: "expect.metric".
std::string without_stars(std::string path);

/// Whether a dotted path is one that a pattern with '*' stands for.
bool matches(std::string_view pattern, std::string_view path);

/// What a map was checked against: of kinds, the one that its `type` chooses; `type` itself where
/// there is no choice; null where nothing is known of it.
const Type* block_of(const Type* type, const Node& node);

}  // namespace knead::schema
