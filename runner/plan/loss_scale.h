#pragma once

#include <cstdint>

#include "recipe.h"

namespace knead::plan {

/// The factor on the loss that keeps the gradients of half precision (fp16) in range, moved as
/// torch.amp.GradScaler moves it: an overflow makes it smaller and leaves the step out, a number of
/// steps without one makes it larger. In the other precisions it is 1 for ever.
struct LossScale {
  double value = 1;
  std::uint64_t good_steps = 0;  // since it was moved

  bool operator==(const LossScale&) const = default;
};

/// The power of two by which the sum of losses of an update is multiplied before backward, so that
/// gradients are about those of a mean and stay in the range of half precision: at most 1 /
/// the weight that is expected of the update, more than half of it. Undone exactly in the update.
/// The expected weight is that of its first micro-batch, for as many samples; where that is 0, the
/// number of samples.
double sum_scale(double first_weight, std::uint64_t first_samples, std::uint64_t samples);

/// Whether there is such a factor.
bool scales_loss(const recipe::Precision& precision);

LossScale first_loss_scale(const recipe::Precision& precision);

/// Whether an overflow of the gradients at this scale is what the scale is there to absorb. At a
/// scale below 1 it is not: then something else is wrong.
bool absorbs_overflow(const recipe::Precision& precision, const LossScale& scale);

/// The scale of the step that follows one whose gradients were finite, or not.
LossScale next_loss_scale(const recipe::Precision& precision, LossScale scale, bool finite);

}  // namespace knead::plan
