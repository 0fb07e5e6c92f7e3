#pragma once

#include <cstdint>

#include "recipe/precision.h"

namespace knead::plan {

/// The factor on the loss that keeps fp16 gradients in range, updated as torch.amp.GradScaler does:
/// an overflow reduces it and skips the step, a number of steps without overflow increases it. With
/// other precisions it is always 1. It is part of a checkpoint; each step replaces it by
/// next_loss_scale().
struct LossScale {
  double value = 1;
  std::uint64_t good_steps = 0;  // since the last change

  bool operator==(const LossScale&) const = default;
};

/// Returns a power of two by which the sum of an update's losses is multiplied before backward, so
/// that gradients have about the size of gradients of a mean and stay in the range of fp16. It is
/// the largest power that is at most 1 / (expected weight of the update), and the update divides it
/// out exactly.
/// The expected weight is extrapolated from the first micro-batch (`first_weight` of
/// `first_samples`) to `samples`; if `first_weight` is 0, it is `samples`.
double sum_scale(double first_weight, std::uint64_t first_samples, std::uint64_t samples);

/// Returns whether this precision uses a loss scale.
bool scales_loss(const recipe::Precision& precision);

/// Returns the loss scale of the first step.
LossScale first_loss_scale(const recipe::Precision& precision);

/// Returns whether the loss scale can explain an overflow of the gradients. Below a scale of 1 it
/// cannot, and the overflow is an error.
bool absorbs_overflow(const recipe::Precision& precision, const LossScale& scale);

/// Returns the scale of the next step; `finite` tells whether all gradients of this step were
/// finite. With a precision that has no loss scale it returns `scale` unchanged.
LossScale next_loss_scale(const recipe::Precision& precision, LossScale scale, bool finite);

}  // namespace knead::plan
