#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

using Tensors = std::vector<at::Tensor>;

/// What is updated in one call: parameters of one type on one device, and what belongs to them,
/// item by item. Gradients are there during a step only, laid out as their parameters.
struct Lists {
  Tensors parameters, gradients;
  std::vector<Tensors> state;  // by the slots of Rule::start
  bool is_first = false;       // no parameter of the lists was updated before
  GradientScale scale;         // a factor for kernels that take it

  /// Multiplies the gradients, for rules without such a kernel.
  void scale_gradients(double factor);

  /// The gradients with `share` times the parameters added; the gradients themselves for 0.
  Tensors gradients_with(double share) const;
};

/// How one kind of optimizer, with its options, changes weights.
class Rule {
 public:
  virtual ~Rule() = default;

  /// What it remembers of a parameter, before its first update: under torch's names, the same ones
  /// in the same order for parameters of as many dimensions.
  virtual NamedTensors start(const at::Tensor& parameter) const = 0;

  /// One update. Gradients count times `scale`, and may be overwritten.
  virtual void update(Lists& lists, double lr, double scale) const = 0;

  /// Whether its kernel may be told by the device itself that there is no update.
  virtual bool heeds_device() const { return false; }

  /// Throws knead::Error for a parameter that it cannot update.
  virtual void check(const NamedTensor&) const {}
};

/// A count of updates, on the host.
at::Tensor zero_count();

/// Adds 1 to counts that are on the host; what they are then.
std::vector<double> count_up(Tensors& steps);

}  // namespace knead::engine::optimize
