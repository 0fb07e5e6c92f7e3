#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Makes the checks of Python's symbol table for `global` and `nonlocal`: a name that its scope
/// assigns, reads or annotates before the declaration, a parameter that is declared, a name that is
/// both, and a `nonlocal` that no function around it binds. Throws Refusal (model-syntax) at the
/// first error, in Python's words.
void check_declarations(const File& file);

}  // namespace knead::syntax
