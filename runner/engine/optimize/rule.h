#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

using Tensors = std::vector<at::Tensor>;

/// Holds what one call updates, item by item: parameters of one type on one device, their gradients
/// and their state. All lists have one length, at least 1. Gradients are present only during a
/// step, in the memory order of their parameters, which fused kernels expect.
struct Lists {
  Tensors parameters, gradients;
  std::vector<Tensors> state;  // by slot of Rule::start(), then by parameter
  bool is_first = false;       // whether none of the parameters was updated before
  GradientScale scale;         // passes a factor to fused kernels

  /// Multiplies the gradients in place, for rules whose kernel takes no factor; does nothing for 1,
  /// so that the bits are torch's.
  void scale_gradients(double factor);

  /// Returns gradients + share · parameters as new tensors; for a share of 0 the gradients
  /// themselves.
  Tensors gradients_with(double share) const;
};

/// Changes weights as one kind of optimizer with its options does. It keeps no state of its own:
/// the optimizer keeps that of each parameter in the slots that start() names, so that a checkpoint
/// can hold it. Gradient recording is disabled during update().
class Rule {
 public:
  virtual ~Rule() = default;

  /// Returns the state of a parameter before its first update, under torch's names. Parameters with
  /// equally many dimensions have the same names in the same order.
  virtual NamedTensors start(const at::Tensor& parameter) const = 0;

  /// Makes one update of all parameters in `lists`, in place, with their state. `lr` is the rate of
  /// the group with the schedule's factor. Gradients count `scale` times and may be overwritten.
  /// Counts the update in the slot "step", if the rule has one.
  virtual void update(Lists& lists, double lr, double scale) const = 0;

  /// Returns whether the kernel accepts found_inf, by which the device leaves an update out. A rule
  /// that returns false needs a finite scale from the host.
  virtual bool accepts_found_inf() const { return false; }

  /// Throws knead::Error for a parameter that the rule cannot update; called once for each trained
  /// parameter.
  virtual void check(const NamedTensor&) const {}
};

/// Returns a count of updates that is 0: a float32 scalar in host memory, as torch.optim keeps it
/// for kernels that are not fused.
at::Tensor zero_count();

/// Adds 1 to counts in host memory, in place, and returns the new counts, from 1, for bias
/// corrections.
std::vector<double> count_up(Tensors& steps);

}  // namespace knead::engine::optimize
