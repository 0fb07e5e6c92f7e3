#pragma once

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// What functools.partial holds: what is called, and the arguments that are given to it already.
struct Partial {
  Value callee;
  Arguments bound;
};

/// An object that calls another thing: functools.partial(callee, …).
Value make_partial(Evaluator& evaluator, const Arguments& arguments);

bool is_partial(const Object& object);
Partial partial_of(const Object& object);

}  // namespace knead::engine::model
