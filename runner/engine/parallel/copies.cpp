#include "runner/engine/parallel/copies.h"

#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>

namespace knead::engine::parallel {
namespace {

/// Overwrites tensors of one device by those of rank 0, in one message.
void copy_together(const std::vector<at::Tensor>& tensors, Group& group) {
  if (tensors.empty()) return;
  std::vector<at::Tensor> bytes;
  bytes.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors)
    bytes.push_back(tensor.detach().contiguous().reshape({-1}).view(at::kByte));
  const at::Tensor all = at::cat(bytes);
  group.copy_from_first(all);
  if (group.is_first()) return;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::int64_t size = bytes[i].numel();
    // A part of `all` may begin where a number of its dtype may not, so it is copied as bytes.
    bytes[i].copy_(all.narrow(0, offset, size));
    offset += size;
    // A contiguous tensor shares its memory with its bytes.
    if (tensors[i].is_contiguous()) continue;
    tensors[i].copy_(bytes[i].view(tensors[i].scalar_type()).view(tensors[i].sizes()));
  }
}

}  // namespace

void copy_from_first(const std::vector<at::Tensor>& tensors, Group& group) {
  if (group.is_alone()) return;
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> on_host, elsewhere;
  for (const at::Tensor& tensor : tensors)
    (tensor.is_cpu() ? on_host : elsewhere).push_back(tensor);
  copy_together(on_host, group);
  copy_together(elsewhere, group);
}

}  // namespace knead::engine::parallel
