#pragma once

#include <string_view>

namespace knead::syntax {

/// Whether Python 3.11 knows a name without anybody having given it a value.
bool is_builtin(std::string_view name);

}  // namespace knead::syntax
