#pragma once

#include "schema/document/problem.h"
#include "schema/merge/extends.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// Checks the rules over several keys of a validated tree. Rules skip doubtful values, so that they
/// do not report again what validation reported. Adds to `problems`, unsorted, and does not repeat
/// a problem that is in it. `files` tells whether the files of the model exist; data is not opened.
void check_rules(const Checked& recipe, const Files& files, Problems& problems);

}  // namespace knead::schema
