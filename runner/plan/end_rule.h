#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "recipe.h"
#include "runner/plan/due.h"
#include "runner/plan/evaluations.h"
#include "runner/plan/windows.h"

namespace knead::plan {

/// Decides when a run is over: at the length that train.until gives, or before it, by
/// early_stopping. Holds copies of what it needs from the recipe. It looks only at what a run has
/// recorded, so a new start can ask it whether the run has ended already.
class EndRule {
 public:
  /// `recipe` is resolved. Throws knead::Error if the data does not have the unit of train.until or
  /// evaluate.every (tokens).
  EndRule(const recipe::Recipe& recipe, const Windows& windows);

  /// Returns whether a run after `step` steps and `seconds` of training has its whole length. Only
  /// one of the two counts: the seconds if train.until is a time, otherwise the steps.
  bool is_whole(std::uint64_t step, double seconds) const;

  /// Returns the evaluations that a run of the whole length makes. A run that continues past its
  /// old end also has the evaluation of that end, which must not influence decisions.
  Evaluations planned(Evaluations evaluations) const;

  /// Returns the reason why a run after `step` steps with these evaluations stops early, a message
  /// of why_stop_early(); std::nullopt if it does not. Only planned() evaluations count. A recipe
  /// without early_stopping never stops early, nor does a run before its first step.
  std::optional<std::string> why_early(std::uint64_t step, const Evaluations& evaluations) const;

 private:
  std::optional<recipe::EarlyStopping> early_;
  std::optional<std::uint64_t> steps_;  // of the whole run; std::nullopt if its length is a time
  double seconds_;                      // of the whole run, if its length is a time
  Cadence evaluate_;
};

}  // namespace knead::plan
