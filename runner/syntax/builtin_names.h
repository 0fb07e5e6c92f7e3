#pragma once

#include <string_view>

namespace knead::syntax {

/// Returns whether Python 3.11 defines a name in every module.
bool is_builtin(std::string_view name);

}  // namespace knead::syntax
