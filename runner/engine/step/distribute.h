#pragma once

#include "recipe.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/parallel/gradients.h"

namespace knead::engine {

/// Returns how the recipe's `distributed` block sends gradients.
parallel::Sending sending_of(const recipe::Recipe& recipe);

/// Overwrites the buffers of a model, such as the running statistics of BatchNorm, by those of
/// rank 0.
void copy_buffers_from_first(const model::Model& model, parallel::Group& group);

}  // namespace knead::engine
