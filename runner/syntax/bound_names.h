#pragma once

#include <functional>
#include <set>
#include <string>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// A sorted set of names. The transparent comparison looks up a std::string_view without a copy.
using Names = std::set<std::string, std::less<>>;

/// Returns the names that the statements of a body bind in the scope of the body: assignments,
/// annotations without a value, imports, loops, `with`, `except`, definitions and `:=`. Nested
/// blocks belong to the scope; nested functions, classes and lambdas have scopes of their own.
/// `import a.b` binds `a`, and `from m import *` adds the name `*`, because the names of the module
/// are not known here. Names that the body declares global or nonlocal belong to other scopes and
/// are left out. `del` removes no name.
Names bound_names(const Body& body);
Names bound_names(const Statement& statement);

/// Returns the names of a file: those that its top level binds, and those that functions and
/// classes in it declare global and bind.
Names bound_names(const File& file);

/// Returns the names that the statements of a body declare global in its scope.
Names global_names(const Body& body);

/// Returns the names that the target of an assignment or a loop binds: `a, (b, *c)` binds a, b, c.
/// An attribute or a subscript binds none.
Names target_names(const Expression& target);

/// Returns the names that `:=` binds in the scope that an expression is evaluated in, also from
/// within comprehensions. The body of a lambda has a scope of its own: call with the body to get
/// the names of that scope. The defaults of the lambda's parameters belong to the scope around it.
Names walrus_names(const Expression& expression);

}  // namespace knead::syntax
