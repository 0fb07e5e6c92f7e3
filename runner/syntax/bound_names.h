#pragma once

#include <functional>
#include <set>
#include <string>

#include "runner/syntax/tree.h"

namespace knead::syntax {

using Names = std::set<std::string, std::less<>>;

/// Returns the names that the statements of a body bind in the scope of the body: assignments,
/// imports, loops, `with`, definitions and `:=`. Nested functions and classes have scopes of their
/// own.
Names bound_names(const Body& body);

/// Returns the names that the target of an assignment or a loop binds: `a, (b, *c)` binds a, b, c.
Names target_names(const Expression& target);

}  // namespace knead::syntax
