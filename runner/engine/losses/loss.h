#pragma once

#include <memory>
#include <string>

#include <ATen/core/Tensor.h>

#include "recipe.h"

namespace knead::engine::losses {

/// A loss in two parts, so that an update does not depend on how its batch was cut: the loss of a
/// batch is Σ sum ÷ Σ weight over its micro-batches, and equals torch's mean over the whole.
class Loss {
 public:
  virtual ~Loss() = default;

  /// The field of the batch that holds what is right.
  virtual const std::string& target() const = 0;

  /// What the losses of these samples are divided by: numbers (mse), items that are not ignored or
  /// the sum of their class weights (cross_entropy). `target` lies in host memory. Throws as sum
  /// does, for what can be seen without an output.
  virtual double weight(const at::Tensor& target) = 0;

  /// The sum of the losses: a scalar to call backward on. Throws knead::Error in words of the
  /// recipe where output and target do not fit each other, or a class is not one of the output's.
  virtual at::Tensor sum(const at::Tensor& output, const at::Tensor& target) = 0;
};

/// What the recipe asks for.
std::unique_ptr<Loss> make_loss(const recipe::Loss& loss);

}  // namespace knead::engine::losses
