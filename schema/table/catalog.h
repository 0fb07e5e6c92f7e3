#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// A key and its position in the language.
struct Listed {
  std::string block;  // dotted path, '*' for any item or name: "expect.*"; empty at the top
  std::string kind;   // `type` of the block if its keys depend on it
  const Key* key;

  /// Returns the dotted path of the key: "expect.*.metric".
  std::string path() const;
};

/// A name of a key in other programs, with an explanation. `words` is empty if the name simply
/// stands for the key that lists it.
struct Brought {
  std::string_view name;
  std::string_view words;
};

/// Splits an item of Key::also, "name" or "name: words". The views refer to `also`.
Brought brought(std::string_view also);

/// Lists every key of a language in the schema's order; a key of several kinds once per kind.
std::vector<Listed> every_key(const Type& root);

/// Removes the '*' steps of a path: "expect.*.metric" → "expect.metric".
std::string without_stars(std::string path);

/// Returns whether a dotted path matches a pattern in which '*' stands for one step.
bool matches(std::string_view pattern, std::string_view path);

/// Returns the block type of a map: for a type with kinds the one that `type` selects, otherwise
/// `type` itself. Returns null if `type` is null or the kind is unknown.
const Type* block_of(const Type* type, const Node& node);

}  // namespace knead::schema
