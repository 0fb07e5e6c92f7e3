#pragma once

#include "schema/document/problem.h"
#include "schema/merge/extends.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// Checks the rules over several keys of a validated tree. Rules skip doubtful values, so that they
/// do not report again what validation reported.
void check_rules(const Checked& recipe, const Files& files, Problems& problems);

}  // namespace knead::schema
