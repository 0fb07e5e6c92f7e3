#pragma once

#include <optional>

#include "schema/document/quantity.h"

namespace knead::schema {

/// How long one epoch of a run is.
struct Epoch {
  double samples = 0;
  double batch = 0;        // samples in a step
  bool drop_last = false;  // the last, smaller step of an epoch is left out
  double tokens = 0;       // in a sample; 0: samples are not made of tokens

  double steps() const;
};

/// A length in optimizer steps, not rounded: 30% of a run of 35 steps are 10.5. Arguments and
/// result are those of in_steps().
std::optional<double> in_steps_unrounded(const Quantity& length, const std::optional<Epoch>& epoch,
                                         std::optional<double> run = std::nullopt);

/// A length in optimizer steps, rounded up: the first steps that are at least so long. `epoch` is
/// needed for all units but steps, `run` (in steps) for shares of the run; nothing for times,
/// tokens of samples that have none, and what would need an absent argument.
std::optional<double> in_steps(const Quantity& length, const std::optional<Epoch>& epoch,
                               std::optional<double> run = std::nullopt);

}  // namespace knead::schema
