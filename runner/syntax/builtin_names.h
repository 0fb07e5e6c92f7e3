#pragma once

#include <string_view>

namespace knead::syntax {

/// Returns whether a name is readable without a definition: a builtin of Python 3.11, or a name
/// such as `__name__` or `__class__` that modules, classes or methods define. The list leaves out
/// builtins that model code hardly reads, such as `aiter` and most subclasses of OSError and
/// Warning. May be called from any thread.
bool is_builtin(std::string_view name);

}  // namespace knead::syntax
