#pragma once

#include <optional>

#include <c10/core/ScalarType.h>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Returns whether a run of so many ranks divides its parameters among them.
bool divides(const recipe::Recipe& recipe, int ranks);

/// Divides the parameters of a job among its ranks if distributed.strategy says so: makes its
/// shards, and an optimizer and an average of this rank's pieces. Call it once the ranks have the
/// same weights, before the first update or the restored state. All ranks must call it. Does
/// nothing for a single rank.
void divide(Job& job);

/// Returns the dtype that gradients are rounded to when they are sent; std::nullopt: none.
std::optional<at::ScalarType> sent_type(const recipe::Distributed& distributed);

}  // namespace knead::engine
