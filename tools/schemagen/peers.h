#pragma once

#include "schema/document/node.h"

namespace knead::schemagen {

/// Gives each key of the language the names that other trainers have for it, as its `x-also`.
/// `peers` maps a definition to its names, or a block (`Recipe`: the root) to its keys and their
/// names. Throws schema::InvalidRecipe for names of a key that does not exist.
void add_peer_names(const schema::Node& peers, schema::Node& document);

/// Refuses an `x-also` that is written in a file of the language: names stand in peers.yaml only.
void refuse_peer_names(const schema::Node& file);

}  // namespace knead::schemagen
