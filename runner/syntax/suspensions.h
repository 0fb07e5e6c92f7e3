#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Checks that `yield`, `await` and `async` stand where a function can be suspended: `yield` in a
/// function but not in a comprehension, `await` and `async` in an `async def`, `yield from` not
/// there, and no value of `return` beside a `yield` there. An asynchronous generator expression may
/// stand anywhere, because only its reader is suspended. Throws Refusal (model-syntax) at the first
/// error.
void check_suspensions(const File& file);

}  // namespace knead::syntax
