#pragma once

#include <set>
#include <string>

#include "schema/document/node.h"

namespace knead::peers {

/// Replaces OmegaConf's `${key}` and `${block.key}` by the scalar at that key of the file.
/// References to missing keys, blocks and lists stay. Returns the keys that references name.
std::set<std::string> resolve_references(schema::Node& root);

}  // namespace knead::peers
