#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// What losses and metrics see of some samples: fields of the batch by name, each (samples, shape
/// of the field…).
struct Samples {
  std::int64_t count = 0;
  const std::vector<std::string>* names = nullptr;  // outlive this; in the order of `tensors`
  std::vector<at::Tensor> tensors;                  // in host memory
  std::vector<at::Tensor> copies;                   // on the device; none where that is the CPU

  /// A field that was asked for when the run began, in host memory: what is looked at by number.
  const at::Tensor& at(const std::string& name) const { return tensors[place_of(name)]; }

  /// The same on the device: what is computed with.
  const at::Tensor& on_device(const std::string& name) const {
    return copies.empty() ? at(name) : copies[place_of(name)];
  }

 private:
  std::size_t place_of(const std::string& name) const {
    std::size_t place = 0;
    while ((*names)[place] != name) ++place;
    return place;
  }
};

}  // namespace knead::engine
