#pragma once

#include <memory>

#include "schema/document/node.h"

namespace knead::schema {

/// Describes the text around a null.
struct NullContext {
  Place key;              // the key that the null is the value of, if any
  bool is_key = false;    // the null stands where a key is expected
  bool in_flow = false;   // inside [ ] or { }
  std::size_t after = 0;  // byte offset of the end of the previous token
};

/// Builds the node of a null that yaml-cpp reports at byte `mark`, which is the position of the
/// word (`null`, `~`) or, without a word, of the next token. An empty value is placed at its key,
/// an empty list item at its dash.
Node null_node(const std::shared_ptr<const Source>& source, std::size_t mark,
               const NullContext& context);

/// Returns whether the key of an empty value in a block has no ':' after it, which yaml-cpp
/// accepts.
bool lacks_colon(const Node& null, const NullContext& context);

/// Returns whether an empty value in a flow map comes from a missing space after ':'. YAML reads
/// `{lr:1e-3}` as one key.
bool lacks_space(const Node& null, const NullContext& context);

}  // namespace knead::schema
