#pragma once

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Completes each data set with `like: other` by the keys of the other set, after overrides. The
/// set's own keys win, and `hold_out` is not copied. Reports cycles and unknown names.
void expand_like(Node& node, const Type& type, Problems& problems);

}  // namespace knead::schema
