#include "runner/engine/step/distribute.h"

#include "runner/engine/job/divide.h"
#include "runner/engine/parallel/copies.h"
#include "runner/engine/parallel/sharded_gradients.h"

namespace knead::engine {

parallel::Sending sending_of(const recipe::Recipe& recipe) {
  return {.bucket = static_cast<std::uint64_t>(recipe.distributed.bucket.value),
          .rounded = sent_type(recipe.distributed)};
}

std::unique_ptr<parallel::Reduction> reduction_of(Job& job) {
  using Strategy = recipe::Distributed::Strategy;
  if (job.group->is_alone()) return nullptr;
  if (job.shards)
    return std::make_unique<parallel::ShardedGradients>(
        *job.shards, /*each_pass=*/job.recipe.distributed.strategy != Strategy::zero1);
  return std::make_unique<parallel::Gradients>(job.trained.model->parameters(),
                                               sending_of(job.recipe), *job.group);
}

optimize::Clip::AllNorms all_norms_of(parallel::Shards& shards) {
  return [&shards](double own) {
    std::vector<double> norms(static_cast<std::size_t>(shards.group().ranks()), 0);
    // Other replicas have the same gradients.
    if (shards.is_first_replica()) norms[static_cast<std::size_t>(shards.group().rank())] = own;
    shards.group().sum(norms);
    return norms;
  };
}

void copy_buffers_from_first(const model::Model& model, parallel::Group& group) {
  if (group.is_alone()) return;
  std::vector<at::Tensor> tensors;
  for (const model::Buffer& buffer : model.buffers()) tensors.push_back(buffer.tensor);
  parallel::copy_from_first(tensors, group);
}

}  // namespace knead::engine
