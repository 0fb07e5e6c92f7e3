#pragma once

#include <string>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Applies `key.path=value` arguments to a recipe, in order. The value is YAML. A bare value sets
/// the one key it stands for (`batch=64` leaves batch.micro alone), a block replaces the block,
/// null takes a key away. A path may lead into a block that is not there yet, and into a list by
/// number (`expect.0.at_least=0.9`). What the path and the value must be is left to validation,
/// which places its problems in the argument.
void apply_overrides(Node& root, const Type& type, const std::vector<std::string>& arguments,
                     Problems& problems);

}  // namespace knead::schema
