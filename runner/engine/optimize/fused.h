#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

// Prepares the arguments of ATen's fused optimizer kernels.

/// Throws knead::Error for a parameter whose memory has gaps, because the kernels ignore strides.
void refuse_gaps(const NamedTensor& parameter);

/// Returns the gradient in the memory order of its parameter, as a copy if its own order differs;
/// an undefined tensor if there is none. Throws knead::Error if it is sparse.
at::Tensor ordered_gradient(const NamedTensor& parameter);

/// Remembers which parameters have gradients, so that the tensor lists of kernels are built anew
/// only if these parameters change: building them takes longer than the update of a small model.
class Participants {
 public:
  /// Records which parameters have a gradient now. Returns whether these differ from the last call;
  /// true for the first call and after forget().
  bool changed(const NamedTensors& parameters);

  /// Makes the next call of changed() return true.
  void forget() { have_gradients_.clear(); }

  /// Returns whether the parameter with this index had a gradient at the last changed(), which must
  /// have been called since forget().
  bool has(std::size_t parameter) const { return have_gradients_[parameter]; }

 private:
  std::vector<bool> have_gradients_;
};

/// Adds 1 to each count of updates (float32 scalars), in place. Kernels expect the count of the
/// update that they are to make. The counts lie on one device; `steps` must not be empty.
void count_update(std::vector<at::Tensor>& steps);

/// Holds on the device the scale of an update and whether it is left out, so that the host does not
/// wait for the norm of the gradients.
struct Unread {
  at::Tensor numbers;    // float64, 1 dimension: losses, then the norm of all gradients times scale
  at::Tensor factor;     // float64 scalar: the scale for Optimizer::step()
  at::Tensor found_inf;  // float32 scalar: 1 if the update is left out, else 0
};

/// Passes a factor on the gradients to a fused kernel, and the device's decision to leave the
/// update out. The optimizer calls use_device_scale() around a rule's update; the rule passes
/// divisor() and found_inf() to the kernel, then calls count_no_more() if it counts updates.
class GradientScale {
 public:
  /// Makes the device supply the factor, and decide whether the update is made, until this is
  /// called with null. Borrows `unread`.
  void use_device_scale(const Unread* unread) { unread_ = unread; }

  /// Returns the kernel's argument grad_scale, a float32 scalar by which it divides the gradients;
  /// std::nullopt for a factor of 1, so that the bits are torch's. `factor` is ignored while the
  /// device supplies it. Multiplies gradients in float64 itself, in place, and returns
  /// std::nullopt. `gradients` must not be empty. Valid until the next call.
  const std::optional<at::Tensor>& divisor(double factor, std::vector<at::Tensor>& gradients);

  /// Returns the kernel's argument found_inf: 1 makes it leave all weights as they are;
  /// std::nullopt if the update is made in any case.
  std::optional<at::Tensor> found_inf() const;

  /// Subtracts what count_update() added if the device has left the update out. Queued on the
  /// device; does nothing if the host decides.
  void count_no_more(std::vector<at::Tensor>& steps) const;

 private:
  const Unread* unread_ = nullptr;   // null: the host knows the factor
  at::Tensor divisor_;               // float32 scalar on the device of the gradients, reused
  std::optional<at::Tensor> given_;  // the last result of divisor()
};

}  // namespace knead::engine::optimize
