#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// A parameter, a buffer, a piece of an optimizer's state: by the name that files and messages use.
struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

using NamedTensors = std::vector<NamedTensor>;

/// The numbers in all of them.
inline std::int64_t count_numbers(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& each : tensors) count += each.tensor.numel();
  return count;
}

}  // namespace knead::engine
