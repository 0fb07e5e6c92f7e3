#pragma once

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// What a file is written on: the trees that it extends, the nearest first; at a key, their values.
using Layers = std::vector<const Node*>;

/// Writes out what a recipe may leave to the reader: a bare value becomes the one key of its block
/// (`batch: 32`), a single value a list of one. Done to every file before files are merged, so that
/// `batch.micro=8` meets a block. What fits no shape, and what is of a kind that nobody knows, is
/// left alone: validation reports it.
void expand_shorthand(Node& node, const Type& type, const Layers& below = {});

/// The type of a key of a block. Where the block has kinds, `block` chooses by its `type`, or by
/// that of the sibling it is `like`; where neither says, its other keys do, as far as that is
/// certain. `siblings`: the block that holds it, if any. Null where there is no such key, or it is
/// not known which is meant.
const Type* type_of_entry(const Type& type, const Node& block, const Node* siblings,
                          std::string_view key);

}  // namespace knead::schema
