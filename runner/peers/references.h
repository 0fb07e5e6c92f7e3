#pragma once

#include <set>
#include <string>

#include "schema/document/node.h"

namespace knead::peers {

/// Replaces OmegaConf's `${key}` and `${block.key}` by the number or text that the file has there.
/// What names nothing, or a block or list, stays.
/// Returns the keys that were named.
std::set<std::string> resolve_references(schema::Node& root);

}  // namespace knead::peers
