#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes softmax with negative log likelihood, as torch.nn.CrossEntropyLoss. The target holds
/// classes (N, …), or probabilities in the shape of the output. The scores are in the dimension
/// that find_class_dim() finds for classes; for probabilities in the second, unless the recipe says
/// last.
std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options);

/// Makes the negative log likelihood of log-probabilities, as torch.nn.NLLLoss. The target holds
/// classes (N, …).
std::unique_ptr<Loss> make_nll(const recipe::Nll& options);

}  // namespace knead::engine::losses
