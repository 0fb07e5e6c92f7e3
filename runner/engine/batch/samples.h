#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Holds the fields of some samples that losses and metrics take, each a tensor (samples, shape of
/// the field…). Checks of single numbers read the host tensors, so that they do not wait for a GPU;
/// computations use the device tensors. A view: the tensors belong to a Feed, which says how long
/// they are valid.
struct Samples {
  /// Number of samples, the first dimension of all tensors.
  std::int64_t count = 0;
  /// Names of the fields, in the order of `tensors`; borrowed.
  const std::vector<std::string>* names = nullptr;
  /// Fields in host memory, in their own dtypes.
  std::vector<at::Tensor> tensors;
  /// Fields on the device, in the same order; empty if the device is the CPU.
  std::vector<at::Tensor> copies;

  /// Returns a field in host memory, for checks of single numbers. `names` must hold its name; this
  /// is not checked. Valid while this object lives.
  const at::Tensor& at(const std::string& name) const { return tensors[place_of(name)]; }

  /// Returns a field on the device, for computations; on the CPU the tensor of at(). `names` must
  /// hold its name; this is not checked. Valid while this object lives.
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
