#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// What Python refuses of a file that is grammatical, once it knows which names a scope gives a
/// value to: `:=` that a comprehension has no place for, __debug__ as a name, imports from
/// __future__ that come late. Throws Refusal at the first of them, in Python's words.
void check_symbols(const File& file);

}  // namespace knead::syntax
