#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/named_tensor.h"

namespace knead::engine::optimize {

/// Turns gradients into new weights, with the numerics of torch.optim's fused kernels. One thread
/// at a time.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// One update of every parameter that has a gradient; the others, and their state, stay as they
  /// are. Gradients count times `scale`, and are overwritten where it is not 1. Counts the update
  /// for bias correction. Throws knead::Error for a sparse gradient.
  virtual void step(double lr, double scale) = 0;

  /// The live tensors, in the order of the parameters: "<parameter>/exp_avg", "<parameter>/step" …,
  /// under torch's names. What has not had a gradient yet has none.
  virtual NamedTensors state() const = 0;

  /// Copies what state() returned in another run: the updates that follow are those of that run.
  /// Throws knead::Error, and changes nothing, naming what is missing, does not belong here or has
  /// another shape or type.
  virtual void restore(const NamedTensors& saved) = 0;
};

/// `parameters` are updated in place, and must live as long; each once. Throws knead::Error for one
/// that is a view with gaps, which the fused kernels would write across.
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters);

}  // namespace knead::engine::optimize
