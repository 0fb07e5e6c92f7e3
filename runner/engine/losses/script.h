#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// The recipe's own function, which sees all fields of the batch. A mean that it gives counts once
/// for each sample.
std::unique_ptr<Loss> make_script_loss(const recipe::ScriptLoss& options,
                                       const std::vector<std::string>& fields);

/// The model's output itself, a mean over the samples.
std::unique_ptr<Loss> make_from_model();

}  // namespace knead::engine::losses
