#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::schema {

/// The recipe as it was understood, as YAML that is understood the same way: everything written
/// out, defaults too, numbers and quantities canonical, paths absolute, secrets as their
/// references. `origin`: each value is followed by a comment with the place it comes from; keys
/// whose default is computed later are named in comments.
std::string render(const Node& tree, bool origin = false);

/// "digits.yaml:19:7", "override 'batch=64'", "the environment (LR), by digits.yaml:19:7",
/// "default".
std::string origin_in_words(const Node& node);

}  // namespace knead::schema
