#pragma once

#include <nlohmann/json_fwd.hpp>

#include "schema/document/node.h"

namespace knead::schema {

/// A tree as JSON, keys in the order written. JSON has no infinity and no NaN: dumped, they are
/// null.
nlohmann::ordered_json as_json(const Node& node);

}  // namespace knead::schema
