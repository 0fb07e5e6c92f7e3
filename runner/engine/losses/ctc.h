#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Makes the loss of connectionist temporal classification (Graves et al. 2006), as
/// torch.nn.CTCLoss: divides the loss of a sample by the length of its target, then averages over
/// the samples; the weight of a Part is the number of samples.
///
/// The output holds log-probabilities, (T, N, C), or (N, T, C) with `batch_first`; the target holds
/// classes, (N, S), filled up at the end. The fields of the options input_lengths and
/// target_lengths hold one length for each sample; without them all T steps and all S classes
/// count. The loss throws UnfitOutput for another shape and for a class that has no score,
/// knead::Error for a length outside the output or the target.
std::unique_ptr<Loss> make_ctc(const recipe::Ctc& options);

}  // namespace knead::engine::losses
