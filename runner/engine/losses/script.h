#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes a loss of the recipe's own function, which takes all fields of the batch. A scalar that it
/// returns is a mean and counts once for each sample.
std::unique_ptr<Loss> make_script_loss(const recipe::ScriptLoss& options,
                                       const std::vector<std::string>& fields);

/// Makes the loss that takes the model's output, one number, as a mean over the samples.
std::unique_ptr<Loss> make_from_model();

}  // namespace knead::engine::losses
