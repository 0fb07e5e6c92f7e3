#pragma once

#include "runner/engine/job/job.h"
#include "runner/engine/step/backward.h"

namespace knead::engine {

/// Forward, loss and backward of micro-batches, as a run makes them: in the recipe's precision,
/// gradients added up until they are cleared. One thread.
class Pass {
 public:
  explicit Pass(Job& job) : job_(job) {}

  /// The loss of these samples.
  losses::Part forward(MicroBatch part);

  /// Adds the gradients of `scale` times this loss to those that there are.
  void backward(const at::Tensor& sum, double scale);

  /// Afterwards no parameter has a gradient.
  void clear_gradients();

 private:
  Job& job_;
  Backward backward_;
  at::Tensor seed_;    // the scale as a tensor of the loss's type
  double seeded_ = 0;  // its number
};

}  // namespace knead::engine
