#pragma once

#include <memory>

#include "schema/document/node.h"

namespace knead::schema {

/// Describes the text around a null, as far as the parser knows it when yaml-cpp reports the null.
/// yaml-cpp reports one event for `key: null`, `key:` and an omitted item, and its position is not
/// that of the value if no word is written.
struct NullContext {
  Place key;              // the key that the null is the value of, if any
  bool in_flow = false;   // inside [ ] or { }
  std::size_t after = 0;  // byte offset of the end of the previous token
};

/// Builds the node of a null that yaml-cpp reports at byte `mark`, which is the position of the
/// word (`null`, `~`) or, without a word, of the next token. An empty value is placed at its key,
/// an empty list item at its dash. `empty` of the result is false only if the word is written.
Node null_node(const std::shared_ptr<const Source>& source, std::size_t mark,
               const NullContext& context);

/// Returns whether the key of an empty value in a block has no ':' after it, which yaml-cpp
/// accepts. Returns false for a null that is written as a word, and inside [ ] and { }.
bool lacks_colon(const Node& null, const NullContext& context);

/// Returns whether an empty value in a flow map comes from a missing space after ':'. YAML reads
/// `{lr:1e-3}` as one key. A key in quotes is never taken for this mistake.
bool lacks_space(const Node& null, const NullContext& context);

}  // namespace knead::schema
