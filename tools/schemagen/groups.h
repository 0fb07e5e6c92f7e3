#pragma once

#include "schema/document/node.h"

namespace knead::schemagen {

/// Writes the groups of the language into `document`. Where a block X has a list of a definition G
/// with `x-group`, the items become a block XG of their own: the keys of G, then the other keys of
/// X with the default that `x-group` states, then the `x-group-keys` that stand beside the $ref to
/// the list. `{type}` in the description of G is the kind of X. Throws schema::InvalidRecipe where
/// XG is declared already.
void derive_groups(schema::Node& document);

}  // namespace knead::schemagen
