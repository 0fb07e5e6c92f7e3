#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Limits how deep expressions and blocks may nest, so that recursive walks over a tree cannot
/// overflow the stack. Model code stays far below it; the parser refuses more.
inline constexpr int kMostLevels = 100;

/// Returns the nesting depth of the deepest child of an expression; 0 without children. Reads the
/// `levels` of direct children and does not recurse.
int levels_below(const Expression& expression);

}  // namespace knead::syntax
