#include "runner/engine/step/distribute.h"

#include "runner/engine/parallel/copies.h"

namespace knead::engine {

parallel::Sending sending_of(const recipe::Recipe& recipe) {
  using Compress = recipe::Distributed::Compress;
  parallel::Sending sending;
  sending.bucket = static_cast<std::uint64_t>(recipe.distributed.bucket.value);
  if (recipe.distributed.compress == Compress::bf16) sending.rounded = at::kBFloat16;
  if (recipe.distributed.compress == Compress::fp16) sending.rounded = at::kHalf;
  return sending;
}

void copy_buffers_from_first(const model::Model& model, parallel::Group& group) {
  if (group.is_alone()) return;
  std::vector<at::Tensor> tensors;
  for (const model::Buffer& buffer : model.buffers()) tensors.push_back(buffer.tensor);
  parallel::copy_from_first(tensors, group);
}

}  // namespace knead::engine
