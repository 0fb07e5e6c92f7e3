#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Softmax and negative log likelihood, as torch.nn.CrossEntropyLoss: with classes (N, …) or with
/// probabilities (N, C, …) as the target.
std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options);

}  // namespace knead::engine::losses
