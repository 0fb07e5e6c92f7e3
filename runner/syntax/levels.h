#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Limits how deep expressions and blocks may nest, so that recursive walks over a tree cannot
/// overflow the stack.
inline constexpr int kMostLevels = 100;

/// Returns the nesting depth of the deepest child of an expression.
int levels_below(const Expression& expression);

}  // namespace knead::syntax
