#include "runner/engine/parallel/copies.h"

#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>

namespace knead::engine::parallel {
namespace {

/// Bounds the bytes of a message of several tensors: it is a copy of them.
constexpr std::size_t kMessage = 16'000'000;

/// Overwrites tensors of one device by those of rank 0, in one message.
void copy_message(const std::vector<at::Tensor>& tensors, Group& group) {
  std::vector<at::Tensor> bytes;
  bytes.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors)
    bytes.push_back(tensor.detach().contiguous().reshape({-1}).view(at::kByte));
  // A single tensor, which may be large, needs no copy.
  const at::Tensor all = bytes.size() == 1 ? bytes.front() : at::cat(bytes);
  group.copy_from_first(all);
  if (group.is_first()) return;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::int64_t size = bytes[i].numel();
    // A part of `all` may begin where a number of its dtype may not, so it is copied as bytes.
    if (bytes.size() > 1) bytes[i].copy_(all.narrow(0, offset, size));
    offset += size;
    // A contiguous tensor shares its memory with its bytes.
    if (tensors[i].is_contiguous()) continue;
    tensors[i].copy_(bytes[i].view(tensors[i].scalar_type()).view(tensors[i].sizes()));
  }
}

/// Overwrites tensors of one device by those of rank 0.
void copy_in_messages(const std::vector<at::Tensor>& tensors, Group& group) {
  std::vector<at::Tensor> message;
  std::size_t bytes = 0;
  for (const at::Tensor& tensor : tensors) {
    if (!message.empty() && bytes + tensor.nbytes() > kMessage) {
      copy_message(message, group);
      message.clear();
      bytes = 0;
    }
    message.push_back(tensor);
    bytes += tensor.nbytes();
  }
  if (!message.empty()) copy_message(message, group);
}

}  // namespace

void copy_from_first(const std::vector<at::Tensor>& tensors, Group& group) {
  if (group.is_alone()) return;
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> on_host, elsewhere;
  for (const at::Tensor& tensor : tensors)
    (tensor.is_cpu() ? on_host : elsewhere).push_back(tensor);
  copy_in_messages(on_host, group);
  copy_in_messages(elsewhere, group);
}

}  // namespace knead::engine::parallel
