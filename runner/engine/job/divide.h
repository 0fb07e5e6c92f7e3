#pragma once

#include <memory>
#include <optional>

#include <c10/core/ScalarType.h>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Returns whether a run of so many ranks divides its parameters among them.
bool divides(const recipe::Recipe& recipe, int ranks);

/// Returns whether ranks that divide the parameters hold those of a unit of the model only while it
/// computes.
bool has_units(const recipe::Recipe& recipe);

/// Returns whether what a rank owns of the parameters is kept where the optimizer's state is.
bool keeps_parameters(const recipe::Distributed& distributed);

/// Divides the parameters of a job among its ranks if distributed.strategy says so: makes its
/// shards, and an optimizer and an average of this rank's pieces. Call it once the ranks have the
/// same weights, before the first update or the restored state. All ranks must call it. Does
/// nothing for a single rank.
void divide(Job& job);

/// Keeps the state of a job's optimizer where distributed.offload says. Call it before the first
/// update or the restored state, after divide(). Throws knead::Error as optimize::Offload().
void offload(Job& job);

/// Divides the parameters of a model that is only evaluated, if the recipe divides it by units:
/// the other strategies leave all parameters to each rank. Parameters that are sent are not
/// rounded. Returns null for them and for a single rank. All ranks must call it, before weights are
/// restored.
std::shared_ptr<parallel::Shards> divide_to_evaluate(model::Model& model,
                                                     const recipe::Recipe& recipe,
                                                     parallel::Group& group);

/// Returns the dtype that gradients are rounded to when they are sent; std::nullopt: none.
std::optional<at::ScalarType> sent_type(const recipe::Distributed& distributed);

}  // namespace knead::engine
