#pragma once

#include <set>
#include <string>

#include "schema/document/node.h"

namespace knead::peers {

/// Replaces OmegaConf's `${key}` and `${block.key}` by the scalar at that absolute key of the file.
/// A text that is one reference takes the type of the value; inside of a longer text the value is
/// inserted as text. References to missing keys, blocks and lists stay, cycles too. A chain of
/// references is followed up to 8 steps.
///
/// Returns the keys of the file that references name, so that such a key is not reported as
/// unknown.
std::set<std::string> resolve_references(schema::Node& root);

}  // namespace knead::peers
