#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// What losses and metrics see of some samples: fields of the batch by name, each (samples, shape
/// of the field…), in host memory.
struct Samples {
  std::int64_t count = 0;
  const std::vector<std::string>* names = nullptr;  // outlive this; in the order of `tensors`
  std::vector<at::Tensor> tensors;

  /// A field that was asked for when the run began.
  const at::Tensor& at(const std::string& name) const {
    std::size_t place = 0;
    while ((*names)[place] != name) ++place;
    return tensors[place];
  }
};

}  // namespace knead::engine
