#pragma once

#include <optional>

#include "schema/document/quantity.h"

namespace knead::schema {

/// The length of one epoch of a run. The numbers count what all ranks together see.
struct Epoch {
  double samples = 0;
  double batch = 0;        // samples in a step
  bool drop_last = false;  // the last, smaller step of an epoch is dropped
  double tokens = 0;       // in a sample; 0: samples do not consist of tokens

  /// Returns the optimizer steps of an epoch; 0 if drop_last drops its only step.
  double steps() const;
};

/// Converts a length in epochs or percent to optimizer steps without rounding: 30% of a run of 35
/// steps is 10.5. Samples and tokens are rounded up as in in_steps(). `run` is the length of the
/// run in steps. Returns std::nullopt in the same cases as in_steps().
std::optional<double> in_steps_unrounded(const Quantity& length, const std::optional<Epoch>& epoch,
                                         std::optional<double> run = std::nullopt);

/// Converts a length to optimizer steps, rounded up to the first step that reaches it. All units
/// but steps and percent need `epoch`; percent needs `run`, the length of the run in steps. Returns
/// std::nullopt without the needed argument, for times, evaluations, bytes and rows, for tokens if
/// samples have none, and for samples and tokens if an epoch has no step.
///
/// Samples are counted epoch by epoch, because the last step of an epoch may be smaller: with 10
/// samples in steps of 4, 20 samples take 6 steps.
std::optional<double> in_steps(const Quantity& length, const std::optional<Epoch>& epoch,
                               std::optional<double> run = std::nullopt);

}  // namespace knead::schema
