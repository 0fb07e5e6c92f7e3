#pragma once

#include "runner/engine/job/job.h"
#include "runner/engine/step/backward.h"

namespace knead::engine {

/// Runs forward, loss and backward of micro-batches in the recipe's precision. Gradients add up
/// until they are cleared. The caller calls forward(), then backward() with its sum, for one
/// micro-batch after another, and clear_gradients() when the update is made. Not thread-safe.
class Pass {
 public:
  /// `trained` must outlive this object.
  Pass(Trained& trained, const recipe::Precision& precision)
      : trained_(trained), precision_(precision) {}

  /// Returns the loss of a micro-batch: its sum, which carries the graph, and its weight. Takes the
  /// inputs out of `part`. Only forward and loss run under autocast, as PyTorch advises. Throws
  /// knead::Error if the model cannot take the inputs or the loss not the output.
  losses::Part forward(MicroBatch part);

  /// Adds the gradients of `scale` times `sum` to the gradients of the parameters. `sum` is the
  /// scalar of a Part that forward() returned; its graph is freed. Throws knead::Error if `sum`
  /// does not depend on a trained parameter. `is_ready`: see Backward::run().
  void backward(const at::Tensor& sum, double scale, const Backward::IsReady& is_ready = {});

  /// Removes the gradient of each parameter, so that the next backward() allocates new ones. A
  /// parameter that the next pass does not reach then has none, and the optimizer leaves it alone.
  void clear_gradients();

 private:
  Trained& trained_;
  recipe::Precision precision_;
  Backward backward_;
  at::Tensor seed_;    // the scale as a scalar tensor of the loss's dtype
  double seeded_ = 0;  // the scale that seed_ holds
};

}  // namespace knead::engine
