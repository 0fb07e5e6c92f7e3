#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Of blocks and expressions in a file, and of expressions in a tree: whoever walks the tree by
/// recursion is safe.
inline constexpr int kMostLevels = 100;

/// The levels of the deepest part of an expression.
int levels_below(const Expression& expression);

}  // namespace knead::syntax
