#pragma once

#include <optional>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// Sets the kind of a scalar by its tag: yaml-cpp's "?" for plain text, "!" for quoted text, or a
/// written tag such as `!!str`. Returns a problem for a tag outside YAML's core schema, and for a
/// text that does not have the tagged type.
std::optional<Problem> resolve_by_tag(Node& node, const std::string& tag);

/// Returns a problem if the tag of a list or map is neither absent nor the tag of its own kind.
std::optional<Problem> check_collection_tag(const Node& node, const std::string& tag);

}  // namespace knead::schema
