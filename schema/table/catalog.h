#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// A key and its position in the language. `key` points into the table, which lives as long as the
/// program.
struct Listed {
  std::string block;  // dotted path, '*' for any item or name: "expect.*"; empty at the top
  std::string kind;   // `type` of the block if its keys depend on it
  const Key* key;

  /// Returns the dotted path of the key: "expect.*.metric".
  std::string path() const;
  /// Returns whether path() is the given one, without making a text.
  bool is_at(std::string_view path) const;
};

/// A name of a key in other programs, with an explanation. `words` is empty if the name simply
/// stands for the key that lists it.
struct Brought {
  std::string_view name;
  std::string_view words;
};

/// Splits an item of Key::also, "name" or "name: words", at its first ": ". The views refer to
/// `also`.
Brought brought(std::string_view also);

/// Lists every key of a language in the schema's order; a key of several kinds once per kind. Walks
/// the whole language on each call, so callers keep the result. The keys of a type that several
/// blocks use are listed once per block.
std::vector<Listed> every_key(const Type& root);

/// Removes the '*' steps of a path: "expect.*.metric" → "expect.metric".
std::string without_stars(std::string path);

/// Returns whether a dotted path matches a pattern in which '*' stands for one step. Both have the
/// same number of steps then: "expect.*" does not match "expect.0.metric".
bool matches(std::string_view pattern, std::string_view path);

/// Returns the block type of a map: for a type with kinds the one that `type` selects, otherwise
/// `type` itself. Returns null if `type` is null, or if the kind is absent or unknown.
const Type* block_of(const Type* type, const Node& node);

}  // namespace knead::schema
