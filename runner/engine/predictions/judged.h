#pragma once

#include <cstdint>

#include "recipe/loss.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"
#include "runner/engine/losses/loss.h"
#include "runner/engine/predictions/tally.h"

namespace knead::engine {

/// Names the loss of a recipe: what it says, and what computes it. Borrowed.
struct JudgingLoss {
  const recipe::Loss& recipe;
  losses::Loss& loss;
};

/// Adds each sample of a batch to a tally: its loss, computed of the sample by itself, and what is
/// true and predicted, where the loss tells what the output means: classes for cross_entropy and
/// nll with scores (N, C), with more dimensions the calibration of all items, one of two classes
/// for bce_with_logits with one score, numbers for mse and its like. A sample that does not count
/// for the loss is left out. `first`: place of the first sample in its set. Throws UnfitOutput
/// unless the first dimension of the output is that of the samples; call it within
/// Output::at_return().
void judge(const Output& seen, const Samples& samples, std::uint64_t first,
           const JudgingLoss& judging, PredictionTally& tally);

}  // namespace knead::engine
