#pragma once

#include <memory>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Parses a Python source file: at most 1 MiB of text and 100 levels of nesting. Throws Refusal at
/// the first error. Statements that models do not need (try, global, async, yield, match, …) are
/// refused by name.
std::shared_ptr<const File> parse(std::shared_ptr<const schema::Source> source);

}  // namespace knead::syntax
