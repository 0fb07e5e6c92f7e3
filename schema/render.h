#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::schema {

/// Writes a checked recipe as YAML that reads back as the same recipe: all defaults are written,
/// numbers and quantities are canonical, paths are absolute, and a secret is its `${env:…}`
/// reference. With `origin`, a comment after each value gives its place, and comments name the keys
/// whose default is computed later.
std::string render(const Node& tree, bool origin = false);

/// Returns where a value comes from, on one line: "digits.yaml:19:7", "override 'batch=64'",
/// "${env:LR} at digits.yaml:19:7" or "default".
std::string origin_in_words(const Node& node);

}  // namespace knead::schema
