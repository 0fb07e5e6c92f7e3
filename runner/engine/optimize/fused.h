#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

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

/// Of an update that the device itself makes or leaves out, because nobody waits to hear how its
/// gradients are.
struct Unread {
  at::Tensor norm;       // float64: over all gradients times scale
  at::Tensor factor;     // float64: what Optimizer::step takes as its scale
  at::Tensor found_inf;  // float32: 1 where the update is left out, else 0
};

/// A factor on the gradients of a group, on its way into a kernel.
class GradientScale {
 public:
  /// The device knows the factor, and whether there is an update, until this is called with null.
  void leave_to(const Unread* unread) { unread_ = unread; }

  /// What the kernel takes as grad_scale, by which it divides: nothing for a factor of 1, whose
  /// bits then are torch's. `gradients` may be multiplied on the way. Valid until the next call.
  const std::optional<at::Tensor>& divisor(double factor, std::vector<at::Tensor>& gradients);

  /// What the kernel takes as found_inf: nothing where there is an update in any case.
  std::optional<at::Tensor> found_inf() const;

  /// Takes back what count_update() has counted, of an update that was left out.
  void count_no_more(std::vector<at::Tensor>& steps) const;

 private:
  const Unread* unread_ = nullptr;
  at::Tensor divisor_;  // one float, on the device of the gradients; kept
  std::optional<at::Tensor> given_;
};

}  // namespace knead::engine::optimize
