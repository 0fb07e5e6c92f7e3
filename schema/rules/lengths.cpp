#include "schema/rules/lengths.h"

#include <cmath>

namespace knead::schema {
namespace {

/// Rounds up, except for values that only rounding errors raise above a whole number: 7% of 100
/// steps are 7.
double rounded_up(double length) { return std::ceil(length * (1 - 1e-12)); }

/// Returns the steps that consume a number of samples. Whole epochs are counted separately, because
/// the last step of an epoch may be smaller.
double steps_for(double samples, const Epoch& epoch) {
  // With drop_last an epoch consumes only its whole steps; the rest of the samples is never seen.
  const double in_epoch = epoch.drop_last ? epoch.steps() * epoch.batch : epoch.samples;
  const double epochs = std::floor(samples / in_epoch);
  return epochs * epoch.steps() + std::ceil((samples - epochs * in_epoch) / epoch.batch);
}

}  // namespace

double Epoch::steps() const {
  return drop_last ? std::floor(samples / batch) : std::ceil(samples / batch);
}

std::optional<double> in_steps(const Quantity& length, const std::optional<Epoch>& epoch,
                               std::optional<double> run) {
  switch (length.unit) {
    case Unit::steps: return length.value;
    case Unit::epochs:
      if (epoch) return rounded_up(length.value * epoch->steps());
      return std::nullopt;
    case Unit::samples:
      if (epoch && epoch->steps() > 0) return steps_for(length.value, *epoch);
      return std::nullopt;
    case Unit::tokens:
      if (epoch && epoch->steps() > 0 && epoch->tokens > 0)
        return steps_for(rounded_up(length.value / epoch->tokens), *epoch);
      return std::nullopt;
    case Unit::percent:
      if (run) return rounded_up(length.value / 100 * *run);
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<double> in_steps_unrounded(const Quantity& length, const std::optional<Epoch>& epoch,
                                         std::optional<double> run) {
  switch (length.unit) {
    case Unit::epochs:
      if (epoch) return length.value * epoch->steps();
      return std::nullopt;
    case Unit::percent:
      if (run) return length.value / 100 * *run;
      return std::nullopt;
    default: return in_steps(length, epoch, run);
  }
}

}  // namespace knead::schema
