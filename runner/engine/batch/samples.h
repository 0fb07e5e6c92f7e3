#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Holds the fields of some samples that losses and metrics take, each a tensor (samples, shape of
/// the field…).
struct Samples {
  std::int64_t count = 0;
  const std::vector<std::string>* names = nullptr;  // in the order of `tensors`; must outlive this
  std::vector<at::Tensor> tensors;                  // in host memory
  std::vector<at::Tensor> copies;  // on the device, in the same order; empty on the CPU

  /// Returns a field in host memory, for checks of single numbers. `names` must hold its name.
  const at::Tensor& at(const std::string& name) const { return tensors[place_of(name)]; }

  /// Returns a field on the device, for computations. `names` must hold its name.
  const at::Tensor& on_device(const std::string& name) const {
    return copies.empty() ? at(name) : copies[place_of(name)];
  }

 private:
  /// Returns the index of a name in `names`, which must hold it.
  std::size_t place_of(const std::string& name) const {
    std::size_t place = 0;
    while ((*names)[place] != name) ++place;
    return place;
  }
};

}  // namespace knead::engine
