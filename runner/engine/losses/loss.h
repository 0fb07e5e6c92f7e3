#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "recipe/loss.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"

namespace knead::engine::losses {

/// Holds the loss of some samples in two parts, so that an update does not depend on how its batch
/// was cut: the loss of a batch is Σ sum ÷ Σ weight over its micro-batches, and equals torch's mean
/// over the whole batch. The design's page training.md says how the optimizer divides.
struct Part {
  /// Holds the sum of the losses, a scalar on the device that carries the graph for backward.
  at::Tensor sum;
  /// Holds the divisor of torch's mean, known on the host: numbers, items that are not ignored,
  /// samples …; 0 if nothing counts, and the sum is then 0.
  double weight = 0;
};

/// Computes the loss that a recipe asks for. make_loss() makes it. Used by one thread: an
/// implementation may keep tensors between calls.
class Loss {
 public:
  virtual ~Loss() = default;

  /// Returns the names of the batch's fields that the loss takes; the target is the first if there
  /// is one. Empty if the model computes the loss. Valid while this object lives.
  virtual const std::vector<std::string>& fields() const = 0;

  /// Returns the loss of these samples. `samples` must hold all fields(). Built-in losses check
  /// targets in host memory, so that the checks do not wait for the device. Throws UnfitOutput or
  /// knead::Error in the words of the recipe if the output and the fields do not fit each other, or
  /// if a class is not one of the output's; call it within Output::at_return().
  virtual Part of(const Output& output, const Samples& samples) = 0;
};

/// Makes the loss of a recipe for data with these fields. Copies what it needs of the arguments.
/// Throws knead::Error (exit code of an invalid recipe) if the recipe names a field that the data
/// does not have; syntax::Refusal if a script does not compile.
std::unique_ptr<Loss> make_loss(const recipe::Loss& loss, const std::vector<std::string>& fields);

/// Returns the name of the loss's target; empty if the recipe names none.
std::string target_of(const recipe::Loss& loss);

}  // namespace knead::engine::losses
