#pragma once

#include "recipe.h"
#include "runner/run/notice.h"

namespace knead::front {

/// Tells those whom a recipe names of an end, by the engine, which has TLS. Takes at most about 7
/// seconds. A failure is a warning; nothing is thrown.
void notify(const recipe::Recipe& recipe, const run::RunEnding& ending);

}  // namespace knead::front
