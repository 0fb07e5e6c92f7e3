#pragma once

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// The trees that a file is merged onto, the nearest first, or their values at one key. The
/// pointers are borrowed for the duration of a call.
using Layers = std::vector<const Node*>;

/// Writes out abbreviations: a bare value becomes the one key of its block (`batch: 32`), a single
/// value becomes a list of one. This happens to every file before merging, so that `batch.micro=8`
/// finds a block. Values that fit no shape or have an unknown kind stay as they are, and validation
/// reports them. `below` tells the kind of a block whose `type` stands in another file. A wrapper
/// has the place of its value and `is_shorthand`. Never reports a problem, and changes nothing when
/// it is applied twice.
void expand_shorthand(Node& node, const Type& type, const Layers& below = {});

/// Returns the type of the key `key` in `block`, or null if the key does not exist or its type is
/// uncertain. For a block with kinds, `type` selects the kind, or `type` of the sibling that `like`
/// names; without both, the other keys do as far as they are unambiguous. `siblings` is the map
/// that holds `block`, or null.
const Type* type_of_entry(const Type& type, const Node& block, const Node* siblings,
                          std::string_view key);

}  // namespace knead::schema
