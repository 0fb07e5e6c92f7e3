#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes a loss of the recipe's own function, def loss(output, batch), which takes all `fields` of
/// the batch. A tensor that it returns holds a loss for each item; a scalar is a mean and counts
/// once for each sample. Throws as ScriptCall.
std::unique_ptr<Loss> make_script_loss(const recipe::ScriptLoss& options,
                                       const std::vector<std::string>& fields);

/// Makes the loss that takes the model's output, one number, as a mean over the samples of the
/// micro-batch. The loss throws UnfitOutput for an output of more than one number.
std::unique_ptr<Loss> make_from_model();

}  // namespace knead::engine::losses
