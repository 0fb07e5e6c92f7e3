#pragma once

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Completes each set that says `like: another` with the other's keys as they are after overrides;
/// its own win. Only `hold_out` is not taken along.
void expand_like(Node& node, const Type& type, Problems& problems);

}  // namespace knead::schema
