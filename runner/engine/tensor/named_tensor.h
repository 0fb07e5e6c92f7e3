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

/// The names of a tensor: the one it is saved under, then those that are tied to it.
using Names = std::vector<std::string>;

/// The numbers in all of them.
inline std::int64_t count_numbers(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& each : tensors) count += each.tensor.numel();
  return count;
}

/// The bytes of all of them; none of what is undefined.
inline std::int64_t count_bytes(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& each : tensors) {
    if (each.tensor.defined()) count += static_cast<std::int64_t>(each.tensor.nbytes());
  }
  return count;
}

/// The gradients of parameters, undefined where there is none, by their names.
inline NamedTensors gradients_of(const NamedTensors& parameters) {
  NamedTensors gradients;
  for (const NamedTensor& each : parameters) gradients.push_back({each.name, each.tensor.grad()});
  return gradients;
}

}  // namespace knead::engine
