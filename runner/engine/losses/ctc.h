#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Connectionist temporal classification, as torch.nn.CTCLoss: the loss of a sample is divided by
/// the length of its target, the mean is one over samples.
std::unique_ptr<Loss> make_ctc(const recipe::Ctc& options);

}  // namespace knead::engine::losses
