#pragma once

#include <string>

#include "runner/syntax/tree.h"

namespace knead::tests {

/// An expression with a pair of parentheses around every operation: "(a + (b * c))".
std::string grouped(const syntax::Expression& expression);

}  // namespace knead::tests
