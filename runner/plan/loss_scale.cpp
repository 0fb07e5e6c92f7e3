#include "runner/plan/loss_scale.h"

#include <cmath>

namespace knead::plan {

double sum_scale(double first_weight, std::uint64_t first_samples, std::uint64_t samples) {
  const auto all = static_cast<double>(samples);
  const double expected = first_weight / static_cast<double>(first_samples) * all;
  // Multiplying by a power of two changes only the exponent, so the update divides it out without
  // rounding. The first micro-batch has weight 0 if it holds only ignored labels.
  return std::exp2(std::floor(std::log2(1 / (first_weight > 0 ? expected : all))));
}

bool scales_loss(const recipe::Precision& precision) {
  return precision.compute == recipe::Precision::Compute::fp16;
}

LossScale first_loss_scale(const recipe::Precision& precision) {
  return {scales_loss(precision) ? precision.scaler.init : 1, 0};
}

bool absorbs_overflow(const recipe::Precision& precision, const LossScale& scale) {
  return scales_loss(precision) && scale.value >= 1;
}

LossScale next_loss_scale(const recipe::Precision& precision, LossScale scale, bool finite) {
  if (!scales_loss(precision)) return scale;
  if (!finite) return {scale.value * precision.scaler.backoff, 0};
  if (scale.good_steps + 1 < static_cast<std::uint64_t>(precision.scaler.interval))
    return {scale.value, scale.good_steps + 1};
  // As in torch, the scale stays if it would exceed the range of float.
  const double grown = scale.value * precision.scaler.growth;
  return {std::isfinite(static_cast<float>(grown)) ? grown : scale.value, 0};
}

}  // namespace knead::plan
