#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "runner/plan/loss_scale.h"

namespace knead::engine {

/// How far a run is: the part of its state that is counted. What is not a tensor, a generator or a
/// journal is here, or it is no state.
struct Progress {
  std::uint64_t step = 0;     // windows used, updated or skipped
  std::uint64_t samples = 0;  // consumed: the position in the global order
  double seconds = 0;         // of training, over all starts

  std::uint64_t skipped = 0;           // updates left out, because something was not finite
  std::uint64_t skipped_in_a_row = 0;  // the last ones
  plan::LossScale loss_scale;          // of the next step
  double loss_sum = 0;                 // since the last report: Σ sums, Σ weights
  double loss_weight = 0;

  double reported_at = 0;  // seconds; for what is due by time
  double saved_at = 0;
  double evaluated_at = 0;
};

nlohmann::json to_json(const Progress& progress);

/// Throws knead::Error where something is missing.
Progress progress_from(const nlohmann::json& json);

}  // namespace knead::engine
