#pragma once

#include "schema/document/problem.h"
#include "schema/merge/extends.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// What no single key can say: rules over several keys of a validated tree. Each looks only at what
/// is certain, so that a mistake that validation reported is not reported twice.
void check_rules(const Checked& recipe, const Files& files, Problems& problems);

}  // namespace knead::schema
