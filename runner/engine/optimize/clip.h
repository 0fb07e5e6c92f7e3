#pragma once

#include <optional>

#include "recipe.h"
#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/squares.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// What the gradients of an update look like, before clipping.
struct Measured {
  double norm;    // over all gradients times scale; `gradient_norm`
  bool finite;    // the norm is: no gradient is NaN or infinite
  double factor;  // what Optimizer::step takes as its scale: clipping and `scale` in one
};

/// The bounds on the gradients of an update, and their norm, which is measured whether there are
/// bounds or not. One thread at a time.
class Clip {
 public:
  explicit Clip(const std::optional<recipe::Clip>& clip);

  /// Looks at the gradients of an update, which count times `scale`. The same bits for any number
  /// of threads. Clipping by norm, as torch.nn.utils.clip_grad_norm_ does it, changes the factor
  /// only; clipping by value scales and bounds the gradients themselves, if they are finite, and
  /// the factor then is 1. Waits for the device of the gradients. Throws knead::Error for a sparse
  /// gradient.
  Measured measure(const NamedTensors& parameters, double scale);

  /// The same without waiting, for gradients that are not in host memory. There is an update where
  /// the norm and all of `losses` (float64, 1 dimension) are finite.
  Unread leave_unread(const NamedTensors& parameters, double scale, const at::Tensor& losses);

 private:
  std::optional<double> most_norm_, most_value_;
  double norm_type_;
  SquareSum squares_;
};

}  // namespace knead::engine::optimize
