#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Makes the checks of Python's symbol table: `:=` that a comprehension does not allow, assignment
/// to __debug__, late or unknown imports from __future__. They need the scopes around a place, so
/// they walk the finished tree. Throws Refusal (model-syntax) at the first error, in Python's
/// words.
void check_symbols(const File& file);

}  // namespace knead::syntax
