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
/// over the whole batch.
struct Part {
  at::Tensor sum;     // a scalar for backward
  double weight = 0;  // divisor of torch's mean: numbers, items that are not ignored, samples …
};

/// Computes the loss that a recipe asks for.
class Loss {
 public:
  virtual ~Loss() = default;

  /// Returns the names of the batch's fields that the loss takes; the target is the first if there
  /// is one.
  virtual const std::vector<std::string>& fields() const = 0;

  /// Returns the loss of these samples. Throws knead::Error in the words of the recipe if the
  /// output and the fields do not fit each other, or if a class is not one of the output's.
  virtual Part of(const Output& output, const Samples& samples) = 0;
};

/// Makes the loss of a recipe for data with these fields. Throws knead::Error if the recipe names a
/// field that the data does not have; syntax::Refusal if a script does not compile.
std::unique_ptr<Loss> make_loss(const recipe::Loss& loss, const std::vector<std::string>& fields);

/// Returns the name of the loss's target; empty if the recipe names none.
std::string target_of(const recipe::Loss& loss);

}  // namespace knead::engine::losses
