#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes the loss of connectionist temporal classification, as torch.nn.CTCLoss: divides the loss
/// of a sample by the length of its target, then averages over the samples.
std::unique_ptr<Loss> make_ctc(const recipe::Ctc& options);

}  // namespace knead::engine::losses
