#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "runner/plan/loss_scale.h"

namespace knead::run {

/// Counts how far a run is. It holds all state of a run that is not in tensors, random number
/// generators or journals.
struct Progress {
  std::uint64_t step = 0;     // windows consumed, whether updated or skipped
  std::uint64_t samples = 0;  // consumed: the position in the global order
  double seconds = 0;         // of training, over all starts

  std::uint64_t skipped = 0;           // updates skipped because a number was not finite
  std::uint64_t skipped_in_a_row = 0;  // consecutive ones, up to the last update
  plan::LossScale loss_scale;          // of the next step
  double loss_sum = 0;                 // Σ loss sums since the last report
  double loss_weight = 0;              // Σ loss weights since the last report

  double reported_at = 0;   // value of `seconds` at the last report, for intervals of time
  double saved_at = 0;      // at the last save
  double evaluated_at = 0;  // at the last evaluation
};

/// Returns the progress in the form in which state.json of a checkpoint holds it.
nlohmann::json to_json(const Progress& progress);

/// Reads the progress from state.json. Throws knead::Error if a value is missing.
Progress progress_from(const nlohmann::json& json);

}  // namespace knead::run
