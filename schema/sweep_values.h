#pragma once

#include "schema/check.h"

namespace knead::schema {

/// Adds the problems that the values of a sweep would give: each value of sweep.over and both ends
/// of each range, and each item of sweep.list, is assigned to the recipe on its own. A problem that
/// the recipe has without it is left out; the others stand at the value, and say which it is.
///
/// `tree` is the recipe of read_tree(), `checked` what check_tree() made of it, and `problems` what
/// both found. At most 2,000 values are tried.
void check_sweep_values(const Node& tree, const Checked& checked, const World& world,
                        Problems& problems);

}  // namespace knead::schema
