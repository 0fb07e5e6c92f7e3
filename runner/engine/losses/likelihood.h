#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Softmax and negative log likelihood, as torch.nn.CrossEntropyLoss: with classes (N, …) or with
/// probabilities of the output's shape as the target. The scores of classes are in the dimension
/// that find_class_dim() finds; those of probabilities in the second unless the recipe says last.
std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options);

/// Negative log likelihood of log-probabilities, as torch.nn.NLLLoss: with classes.
std::unique_ptr<Loss> make_nll(const recipe::Nll& options);

}  // namespace knead::engine::losses
