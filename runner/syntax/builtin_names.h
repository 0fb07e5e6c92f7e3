#pragma once

#include <string_view>

namespace knead::syntax {

/// Returns whether a name is readable without a definition: a builtin of Python 3.11, or a name
/// such as `__name__` or `__class__` that modules, classes or methods define. The keywords False,
/// None and True are not names. May be called from any thread.
bool is_builtin(std::string_view name);

}  // namespace knead::syntax
