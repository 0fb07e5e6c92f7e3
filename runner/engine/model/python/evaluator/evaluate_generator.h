#pragma once

#include "runner/syntax/tree.h"

namespace knead::engine::model {

/// Returns whether a call of the function makes a generator: whether `yield` stands in it, outside
/// of the functions and classes in it.
bool has_yield(const syntax::Function& definition);

}  // namespace knead::engine::model
