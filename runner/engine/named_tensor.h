#pragma once

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

}  // namespace knead::engine
