#pragma once

#include <optional>

#include "recipe/clip.h"
#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/sum_of_squares.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Describes the gradients of an update before clipping.
struct Measured {
  double norm;    // of all gradients times scale; reported as `gradient_norm`
  bool finite;    // whether the norm is: no gradient is NaN or infinite
  double factor;  // the scale for Optimizer::step(): `scale` times that of clipping
};

/// Measures the norm of the gradients of an update, and applies the bounds of the recipe if it has
/// any. One thread at a time.
class Clip {
 public:
  explicit Clip(const std::optional<recipe::Clip>& clip);

  /// Measures the gradients times `scale`, and clips them. Clipping by norm, as
  /// torch.nn.utils.clip_grad_norm_, changes only the factor. Clipping by value scales and clamps
  /// the gradients in place, unless they are not finite, and the factor is then 1. The norm has the
  /// same bits for any number of threads. Waits for the device. Throws knead::Error for a sparse
  /// gradient.
  Measured measure(const NamedTensors& parameters, double scale);

  /// Measures and clips as measure() does, but on a device other than the CPU and without waiting
  /// for it. The update is to be left out unless the norm and all of `losses` (float64, 1
  /// dimension; may be undefined) are finite.
  Unread leave_unread(const NamedTensors& parameters, double scale, const at::Tensor& losses);

 private:
  std::optional<double> most_norm_, most_value_;  // std::nullopt: no bound
  double norm_type_;
  SumOfSquares squares_;
};

}  // namespace knead::engine::optimize
