#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "recipe.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"

namespace knead::engine::losses {

/// The loss of some samples in two parts, so that an update does not depend on how its batch was
/// cut: the loss of a batch is Σ sum ÷ Σ weight over its micro-batches, and equals torch's mean
/// over the whole.
struct Part {
  at::Tensor sum;  // a scalar to call backward on
  double weight =
      0;  // what torch's mean divides by: numbers, items that are not ignored, samples …
};

class Loss {
 public:
  virtual ~Loss() = default;

  /// The fields of the batch that it looks at: what is right first, if there is such a field.
  virtual const std::vector<std::string>& fields() const = 0;

  /// The loss of these samples. Throws knead::Error in words of the recipe where the output and the
  /// fields do not fit each other, or a class is not one of the output's.
  virtual Part of(const Output& output, const Samples& samples) = 0;
};

/// What the recipe asks for, over data with these fields. Throws knead::Error where one is named
/// that the data does not have; syntax::Refusal for a script that does not compile.
std::unique_ptr<Loss> make_loss(const recipe::Loss& loss, const std::vector<std::string>& fields);

/// The field that holds what is right; empty where the recipe names none.
std::string target_of(const recipe::Loss& loss);

}  // namespace knead::engine::losses
