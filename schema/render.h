#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::schema {

/// Writes a checked recipe as YAML that reads back as the same recipe: all defaults are written,
/// numbers and quantities are canonical, paths are absolute, and a secret is its `${env:…}`
/// reference. With `origin`, a comment after each value gives its place, and comments name the keys
/// whose default is computed later.
///
/// Recipes with equal values give equal texts without `origin`, however files and arguments spread
/// the values: the front passes the digest of this text to the engine, which compares it with the
/// digest of what it has read itself. `tree` must come from load().
std::string render(const Node& tree, bool origin = false);

/// Returns where a value comes from, on one line: "digits.yaml:19:7", "override 'batch=64'",
/// "${env:LR} at digits.yaml:19:7" or "default". For the value of an alias it also names the
/// anchor: "base.yaml:9:5, alias of base.yaml:2:3". Control characters become '?'.
std::string origin_in_words(const Node& node);

}  // namespace knead::schema
