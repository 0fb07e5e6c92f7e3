#pragma once

#include "schema/node.h"
#include "schema/table.h"

namespace knead::schema {

/// Writes out what a recipe may leave to the reader: a bare value becomes the one key of its block
/// (`batch: 32`), a single value a list of one. Done to every file before files are merged, so that
/// `batch.micro=8` meets a block. What fits no shape is left alone: validation reports it.
void expand_shorthand(Node& node, const Type& type);

}  // namespace knead::schema
