#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "recipe/clip.h"
#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/sum_of_squares.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Describes the gradients of an update before clipping. The host has read the numbers.
struct Measured {
  /// Norm of all gradients times the scale, taken as one vector; reported as `gradient_norm`.
  double norm;
  /// Tells whether the norm is finite: no gradient is NaN or infinite. The caller leaves the update
  /// out otherwise.
  bool finite;
  /// Scale for Optimizer::step(): `scale` times that of clipping.
  double factor;
};

/// Measures the norm of the gradients of an update, and applies the bounds of the recipe if it has
/// any. One thread at a time.
class Clip {
 public:
  /// Returns the norms of the gradients of all ranks, given that of this rank, if each rank has
  /// gradients of other numbers.
  using AllNorms = std::function<std::vector<double>(double)>;

  /// Takes the bounds of the recipe; std::nullopt: measures the Euclidean norm and clips nothing.
  /// `all_norms` is empty if this process has all gradients.
  explicit Clip(const std::optional<recipe::Clip>& clip, AllNorms all_norms = {});

  /// Measures the gradients times `scale`, and clips them. Parameters without a gradient are
  /// skipped. Clipping by norm, as torch.nn.utils.clip_grad_norm_, changes only the factor.
  /// Clipping by value scales and clamps the gradients in place, on the CPU only if they are
  /// finite, and the factor is then 1. The norm has the same bits for any number of threads. Waits
  /// for the device. Throws knead::Error for a sparse gradient.
  Measured measure(const NamedTensors& parameters, double scale);

  /// Measures and clips as measure() does, but for a process with all gradients, on a device other
  /// than the CPU and without waiting for it. The update is to be left out unless the norm and all
  /// of `losses` (float64, 1 dimension; may be undefined) are finite. `parameters` must not be
  /// empty.
  Unread leave_unread(const NamedTensors& parameters, double scale, const at::Tensor& losses);

 private:
  std::optional<double> most_norm_, most_value_;  // std::nullopt: no bound
  double norm_type_;
  SumOfSquares squares_;
  AllNorms all_norms_;

  /// A number that lies on the device and is seldom another one in the next update.
  struct Kept {
    const at::Tensor& like(const at::Tensor& scalar, double value);
    at::Tensor there;
    double here = 0;
  };
  Kept scale_, bound_;
};

}  // namespace knead::engine::optimize
