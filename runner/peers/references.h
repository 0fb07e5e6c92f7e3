#pragma once

#include "schema/node.h"

namespace knead::peers {

/// Replaces OmegaConf's `${key}` and `${block.key}` by the number or text that the file has there.
/// What names nothing, or a block or list, stays.
void resolve_references(schema::Node& root);

}  // namespace knead::peers
