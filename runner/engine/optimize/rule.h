#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

using Tensors = std::vector<at::Tensor>;

/// Holds what one call updates, item by item: parameters of one type on one device, their gradients
/// and their state. Gradients are present only during a step, in the memory order of their
/// parameters.
struct Lists {
  Tensors parameters, gradients;
  std::vector<Tensors> state;  // by slot of Rule::start(), then by parameter
  bool is_first = false;       // whether none of the parameters was updated before
  GradientScale scale;         // passes a factor to fused kernels

  /// Multiplies the gradients in place, for rules whose kernel takes no factor.
  void scale_gradients(double factor);

  /// Returns gradients + share · parameters; for a share of 0 the gradients themselves.
  Tensors gradients_with(double share) const;
};

/// Changes weights as one kind of optimizer with its options does.
class Rule {
 public:
  virtual ~Rule() = default;

  /// Returns the state of a parameter before its first update, under torch's names. Parameters with
  /// equally many dimensions have the same names in the same order.
  virtual NamedTensors start(const at::Tensor& parameter) const = 0;

  /// Makes one update. Gradients count `scale` times and may be overwritten.
  virtual void update(Lists& lists, double lr, double scale) const = 0;

  /// Returns whether the kernel accepts found_inf, by which the device leaves an update out.
  virtual bool accepts_found_inf() const { return false; }

  /// Throws knead::Error for a parameter that the rule cannot update.
  virtual void check(const NamedTensor&) const {}
};

/// Returns a count of updates that is 0: a float32 scalar in host memory.
at::Tensor zero_count();

/// Adds 1 to counts in host memory and returns the new counts.
std::vector<double> count_up(Tensors& steps);

}  // namespace knead::engine::optimize
