#include "runner/engine/optimize/offload.h"

#include <ATen/ops/from_blob.h>

namespace knead::engine::optimize {
namespace {

std::span<const std::byte> block_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

/// Calls `act` for each block of the state in the lists.
template <class Act>
void for_each_block(const Lists& lists, Act act) {
  for (const Tensors& slot : lists.state) {
    for (const at::Tensor& tensor : slot) act(block_of(tensor));
  }
}

}  // namespace

Offload::Offload(const OffloadPlace& place, std::uint64_t state_bytes) : copies_(place.copies) {
  if (!place.folder) return;
  disk_ = &files::ScratchMemory::in(*place.folder);
  disk_->expect_room(state_bytes);
}

at::Tensor Offload::keep(const at::Tensor& state) const {
  const at::Tensor there = state.cpu();
  // The memory of a small tensor is less than what a file of its own costs.
  if (!disk_ || there.nbytes() < files::ScratchMemory::kLeast) return there;
  const std::size_t bytes = there.nbytes();
  void* const begin = disk_->take(bytes);
  const at::Tensor kept = at::from_blob(
      begin, there.sizes(), there.strides(),
      [disk = disk_, bytes](void* block) { disk->give_back(block, bytes); }, there.options());
  kept.copy_(there);
  disk_->put_away(block_of(kept));
  return kept;
}

std::pmr::memory_resource* Offload::memory_for_copies() const {
  return disk_ ? disk_ : std::pmr::get_default_resource();
}

void Offload::bring(Lists& lists, const Tensors& parameters) const {
  if (!copies_) return;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    lists.parameters[i] = parameters[i].to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
    lists.gradients[i] = lists.gradients[i].to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
  }
}

void Offload::take_back(Lists& lists, const Tensors& parameters) const {
  if (copies_) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].copy_(lists.parameters[i]);
      lists.parameters[i] = parameters[i];
    }
  }
  if (!disk_) return;
  for_each_block(lists, [this](std::span<const std::byte> block) { disk_->put_away(block); });
}

void Offload::read_ahead(const Lists& lists) const {
  if (!disk_) return;
  for_each_block(lists, [this](std::span<const std::byte> block) { disk_->read_ahead(block); });
}

}  // namespace knead::engine::optimize
