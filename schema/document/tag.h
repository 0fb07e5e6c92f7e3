#pragma once

#include <optional>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// Gives a scalar its kind by its tag: yaml-cpp's "?" for a plain one, "!" for a quoted one, or
/// what is written (`!!str`). Gives a problem for a tag that is none of YAML's core schema, and for
/// a text that is not of the tagged type.
std::optional<Problem> resolve_by_tag(Node& node, const std::string& tag);

/// A problem for a list or map whose tag is neither its own kind nor absent.
std::optional<Problem> check_collection_tag(const Node& node, const std::string& tag);

}  // namespace knead::schema
