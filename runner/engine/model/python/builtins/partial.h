#pragma once

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// The content of a functools.partial: the callee and the arguments bound so far. A call puts the
/// bound positional arguments first, and its own named arguments replace bound ones.
struct Partial {
  Value callee;
  Arguments bound;
};

/// Implements functools.partial(callee, …). Throws Mistake without a callee; whether the callee can
/// be called is found at the call.
Value make_partial(Evaluator& evaluator, const Arguments& arguments);

/// Returns whether make_partial() made an object.
bool is_partial(const Object& object);
/// Returns the content of a partial object; is_partial() must hold.
Partial partial_of(const Object& object);

}  // namespace knead::engine::model
