#pragma once

#include <nlohmann/json_fwd.hpp>

#include "schema/document/node.h"

namespace knead::schema {

/// Converts a tree to JSON with the keys in the order written. JSON has no infinity and no NaN, so
/// a dump shows these as null. Places and origins are lost. Does not hide secrets: a text with
/// `secret` is converted like any other.
nlohmann::ordered_json as_json(const Node& node);

}  // namespace knead::schema
