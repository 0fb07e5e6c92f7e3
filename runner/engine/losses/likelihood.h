#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes softmax with negative log likelihood, as torch.nn.CrossEntropyLoss. The target holds
/// classes (N, …), or probabilities in the shape of the output. The scores are in the dimension
/// that find_class_dim() finds for classes; for probabilities in the second, unless the recipe says
/// last.
///
/// The weight of a Part is the divisor of torch's mean: for classes the sum of the class weights of
/// all items that are not ignored, for probabilities the number of items. The loss throws
/// UnfitOutput for shapes and classes that do not fit, and knead::Error if the recipe's weights are
/// not one for each class, or if it ignores a class of probabilities.
std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options);

/// Makes the negative log likelihood of log-probabilities, as torch.nn.NLLLoss. The target holds
/// classes (N, …); the loss throws knead::Error for a floating-point target. Dimension, weight and
/// other errors are those of make_cross_entropy().
std::unique_ptr<Loss> make_nll(const recipe::Nll& options);

}  // namespace knead::engine::losses
