#pragma once

#include <ATen/core/Tensor.h>

#include "recipe.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/shards.h"

namespace knead::engine {

/// Names what predicts: a model on the ranks of a group, and the samples.
struct Predicting {
  const recipe::Recipe& recipe;
  model::Model& model;
  const data::Set& set;
  parallel::Group& group;
  parallel::Shards* shards;  // null if each rank has all parameters
};

/// Returns the outputs of a model for all samples of a set, (samples, …), in their order, in host
/// memory of rank 0; an undefined tensor on the other ranks. The ranks divide the batches among
/// them and all must call it; the batches stay whole, so the bits are those of one rank. Sends the
/// outputs of one batch of each rank at a time. Leaves the model in evaluation mode. Throws
/// knead::Error if an output has no row for each sample, or if outputs of two batches do not fit
/// together.
at::Tensor outputs(const Predicting& predicting);

}  // namespace knead::engine
