#pragma once

#include <memory>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Parses a Python source file: at most 1 MiB of UTF-8 text and 100 levels of nesting. Accepts the
/// grammar of Python 3.11 without `match`, which it refuses by name.
///
/// Throws Refusal at the first error. The code is model-refused for constructs of Python that
/// models leave out, model-syntax for everything else: also for control characters, a carriage
/// return without a line feed, and a declared encoding other than UTF-8.
///
/// Pure: reads no file and knows no names beyond the text. The result shares ownership of `source`,
/// which must not be null.
std::shared_ptr<const File> parse(std::shared_ptr<const schema::Source> source);

}  // namespace knead::syntax
