#pragma once

#include <memory>

#include "runner/engine/job/job.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/parallel/gradients.h"
#include "runner/engine/parallel/reduction.h"

namespace knead::engine {

/// Returns how the recipe's `distributed` block sends gradients.
parallel::Sending sending_of(const recipe::Recipe& recipe);

/// Makes what sums the gradients of a job over its ranks, as the recipe's `distributed` block says;
/// null for a single rank. Refers to the job.
std::unique_ptr<parallel::Reduction> reduction_of(Job& job);

/// Returns the function by which ranks with gradients of their own pieces tell each other their
/// norms. Refers to the shards.
optimize::Clip::AllNorms all_norms_of(parallel::Shards& shards);

/// Overwrites the buffers of a model, such as the running statistics of BatchNorm, by those of
/// rank 0.
void copy_buffers_from_first(const model::Model& model, parallel::Group& group);

}  // namespace knead::engine
