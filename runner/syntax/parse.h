#pragma once

#include <memory>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The tree of a source file. What the language of models leaves out (try, global, async, yield,
/// match, …) is refused by name. Throws Refusal at the first thing that is wrong. At most 1 MiB of
/// text and 100 levels of nesting.
std::shared_ptr<const File> parse(std::shared_ptr<const schema::Source> source);

}  // namespace knead::syntax
