#pragma once

#include <optional>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// Sets the kind of a scalar by its tag: yaml-cpp's "?" for plain text, "!" for quoted text, or a
/// written tag such as `!!str`. Returns a problem for a tag outside YAML's core schema, and for a
/// text that does not have the tagged type. After a problem the kind of the node means nothing, and
/// the caller marks the node as broken. `!!float 1` is the number 1, `!!int "1"` the integer 1.
std::optional<Problem> resolve_by_tag(Node& node, const std::string& tag);

/// Returns a problem if the tag of a list or map is neither absent nor the tag of its own kind,
/// which is `!!seq` or `!!map`. Recipes have no tags of their own.
std::optional<Problem> check_collection_tag(const Node& node, const std::string& tag);

}  // namespace knead::schema
