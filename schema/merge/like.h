#pragma once

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Completes each data set with `like: other` by the keys of the other set, after overrides. The
/// set's own keys win, and `hold_out` is not copied. Reports cycles and unknown names.
///
/// Blocks of both sets merge key by key. The key `like` stays, so that later rules know the source.
/// A copied value keeps its place in the other set, where its problems are then shown. `like` works
/// among the values of one block whose type allows it (`Type::like`), and not inside of a mix.
void expand_like(Node& node, const Type& type, Problems& problems);

}  // namespace knead::schema
