#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Pairs a tensor (a parameter, a buffer or a piece of optimizer state) with the name that files
/// and messages use, "blocks.0.weight". Copies share the tensor's memory.
struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// Lists tensors in an order that their producer defines; names are unique within a list.
using NamedTensors = std::vector<NamedTensor>;

/// Lists the names of one tensor: first the name it is saved under, then those of weights tied to
/// it.
using Names = std::vector<std::string>;

/// Returns how many numbers the tensors hold in total. All of them must be defined. A tensor that
/// is listed twice counts twice.
inline std::int64_t count_numbers(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& each : tensors) count += each.tensor.numel();
  return count;
}

/// Returns how many bytes the tensors hold in total; undefined tensors count 0.
inline std::int64_t count_bytes(const NamedTensors& tensors) {
  std::int64_t count = 0;
  for (const NamedTensor& each : tensors) {
    if (each.tensor.defined()) count += static_cast<std::int64_t>(each.tensor.nbytes());
  }
  return count;
}

/// Returns the gradients of parameters under the parameters' names, sharing their memory; an
/// undefined tensor for a parameter without a gradient.
inline NamedTensors gradients_of(const NamedTensors& parameters) {
  NamedTensors gradients;
  for (const NamedTensor& each : parameters) gradients.push_back({each.name, each.tensor.grad()});
  return gradients;
}

}  // namespace knead::engine
