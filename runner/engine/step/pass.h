#pragma once

#include "runner/engine/job/job.h"
#include "runner/engine/step/backward.h"

namespace knead::engine {

/// Runs forward, loss and backward of micro-batches in the recipe's precision. Gradients add up
/// until they are cleared. Not thread-safe.
class Pass {
 public:
  /// `trained` must outlive this object.
  Pass(Trained& trained, const recipe::Precision& precision)
      : trained_(trained), precision_(precision) {}

  /// Returns the loss of a micro-batch: its sum, which carries the graph, and its weight.
  losses::Part forward(MicroBatch part);

  /// Adds the gradients of `scale` times `sum` to the gradients of the parameters. `sum` is the
  /// scalar of a Part that forward() returned.
  void backward(const at::Tensor& sum, double scale);

  /// Removes the gradient of each parameter, so that the next backward() allocates new ones.
  void clear_gradients();

 private:
  Trained& trained_;
  recipe::Precision precision_;
  Backward backward_;
  at::Tensor seed_;    // the scale as a scalar tensor of the loss's dtype
  double seeded_ = 0;  // the scale that seed_ holds
};

}  // namespace knead::engine
