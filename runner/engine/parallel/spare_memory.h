#pragma once

#include <cstddef>
#include <map>

#include <ATen/core/Tensor.h>

namespace knead::engine::parallel {

/// Keeps memory that tensors have given back, for the next tensor of the same size: new memory
/// costs a fault for each page.
class SpareMemory {
 public:
  /// Sets how many bytes are kept at most.
  void set_most(std::size_t bytes) { most_ = bytes; }
  /// Gives a flat tensor memory for its numbers, which are undefined, unless it has some.
  void give_to(const at::Tensor& tensor);
  /// Takes the memory of a flat tensor, whose size stays.
  void take_from(const at::Tensor& tensor);

 private:
  std::multimap<std::size_t, at::DataPtr> spare_;  // by bytes
  std::size_t bytes_ = 0;                          // of all
  std::size_t most_ = 0;
};

}  // namespace knead::engine::parallel
