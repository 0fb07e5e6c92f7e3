#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/named_tensor.h"

namespace knead::engine::optimize {

// What ATen's fused optimizer kernels ask of those who call them.

/// Throws knead::Error for a parameter with gaps: kernels see memory, not strides.
void refuse_gaps(const NamedTensor& parameter);

/// The gradient in the order of the parameter's memory, a copy if need be; undefined if there is
/// none. Throws as dense_gradient.
at::Tensor ordered_gradient(const NamedTensor& parameter);

/// Which parameters take part in updates, so that the lists of a kernel's tensors can stay while it
/// is the same ones.
class Participants {
 public:
  /// Whether the parameters that have a gradient now are others than at the last call; true for the
  /// first, and after forget.
  bool changed(const NamedTensors& parameters);

  void forget() { have_gradients_.clear(); }

  /// Whether the parameter had a gradient at the last call of changed.
  bool has(std::size_t parameter) const { return have_gradients_[parameter]; }

 private:
  std::vector<bool> have_gradients_;
};

/// Adds 1 to each, as kernels want it before the update they count.
void count_update(std::vector<at::Tensor>& steps);

/// A factor on the gradients of a group, on its way into a kernel.
class GradientScale {
 public:
  /// What the kernel takes as grad_scale, by which it divides: nothing for a factor of 1, whose
  /// bits then are torch's. `gradients` may be multiplied on the way. Valid until the next call.
  const std::optional<at::Tensor>& divisor(double factor, std::vector<at::Tensor>& gradients);

 private:
  at::Tensor divisor_;  // one float, on the device of the gradients; kept
  std::optional<at::Tensor> given_;
};

}  // namespace knead::engine::optimize
