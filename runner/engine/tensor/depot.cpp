#include "runner/engine/tensor/depot.h"

#include <ATen/ops/from_blob.h>

#include "runner/files/page_memory.h"

namespace knead::engine {
namespace {

std::span<const std::byte> block_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

}  // namespace

Depot::Depot(const std::optional<std::filesystem::path>& folder) {
  if (folder) disk_ = &files::ScratchMemory::in(*folder);
}

void Depot::expect_room(std::uint64_t bytes) const {
  if (disk_) disk_->expect_room(bytes);
}

at::Tensor Depot::keep(const at::Tensor& tensor) const {
  const at::Tensor there = tensor.cpu();
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

void Depot::put_away(const at::Tensor& tensor) const {
  if (disk_) disk_->put_away(block_of(tensor));
}

void Depot::read_ahead(const at::Tensor& tensor) const {
  if (disk_) disk_->read_ahead(block_of(tensor));
}

std::pmr::memory_resource* Depot::memory_for_copies() const {
  if (disk_) return disk_;
  return &files::PageMemory::shared();
}

}  // namespace knead::engine
