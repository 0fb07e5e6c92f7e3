#include "runner/engine/parallel/spare_memory.h"

#include <utility>

namespace knead::engine::parallel {

void SpareMemory::give_to(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  const std::size_t bytes = static_cast<std::size_t>(tensor.numel() * tensor.element_size());
  if (storage.nbytes() == bytes) return;
  if (const auto found = spare_.find(bytes); found != spare_.end()) {
    storage.set_data_ptr_noswap(std::move(found->second));
    spare_.erase(found);
    bytes_ -= bytes;
  } else {
    storage.set_data_ptr_noswap(storage.allocator()->allocate(bytes));
  }
  storage.set_nbytes(bytes);
}

void SpareMemory::take_from(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  const std::size_t bytes = storage.nbytes();
  if (bytes == 0) return;
  at::DataPtr memory = storage.set_data_ptr(at::DataPtr(nullptr, tensor.device()));
  storage.set_nbytes(0);
  if (bytes_ + bytes > most_) return;
  spare_.emplace(bytes, std::move(memory));
  bytes_ += bytes;
}

}  // namespace knead::engine::parallel
