#pragma once

namespace knead::engine::model {

/// Throws Mistake if little of the thread's stack is left. A function that calls itself for the
/// parts of a value calls it first, because a value may contain itself or nest without end.
void expect_stack();

}  // namespace knead::engine::model
