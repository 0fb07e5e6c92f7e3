#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "runner/plan/loss_scale.h"

namespace knead::run {

/// Counts how far a run is. It holds all state of a run that is not in tensors, random number
/// generators or journals. A checkpoint stores it and a resume restores it, so a member without an
/// entry in progress.cpp is lost.
struct Progress {
  /// Windows consumed, whether their updates were applied or skipped.
  std::uint64_t step = 0;
  /// Samples consumed: the position in the global order.
  std::uint64_t samples = 0;
  /// Seconds of training, over all starts.
  double seconds = 0;

  std::uint64_t skipped = 0;           // updates skipped because a number was not finite
  std::uint64_t skipped_in_a_row = 0;  // consecutive ones, up to the last update
  plan::LossScale loss_scale;          // of the next step
  /// Σ loss sums since the last report. Divided by loss_weight it is the reported loss.
  double loss_sum = 0;
  double loss_weight = 0;  // Σ loss weights since the last report
  /// Weight of a sample in the loss of the last update of several ranks, from which the scale of
  /// the next one follows; 0: not known. The checkpoint has it if it is not 0.
  double sample_weight = 0;

  /// Value of `seconds` at the last report, from which intervals of time such as "30 s" are
  /// counted.
  double reported_at = 0;
  /// Value of `seconds` at the last save.
  double saved_at = 0;
  /// Value of `seconds` at the last evaluation.
  double evaluated_at = 0;
};

/// Returns the progress in the form in which state.json of a checkpoint holds it: an object with
/// one number per member.
nlohmann::json to_json(const Progress& progress);

/// Reads the progress from state.json. Throws knead::Error, which names the member, if a value is
/// missing or is not a number.
Progress progress_from(const nlohmann::json& json);

}  // namespace knead::run
