#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"

namespace knead::run {

// The checkpoint of the best evaluation stands for a run. If it is gone or damaged, or if there is
// no evaluation, the newest whole checkpoint does. The caller names each damaged one to the user.

/// Holds the checkpoints of a run, damaged ones too, in the order in which they stand for it.
struct Preference {
  /// First the best one, if it is there, then the others, from the newest to the oldest.
  std::vector<checkpoint::Listed> checkpoints;
  /// The first checkpoint is that of the best evaluation. False without evaluations, or if rotation
  /// or the user has deleted that checkpoint.
  bool begins_with_best = false;
};

/// Sorts `checkpoints`, which are in the order of list_checkpoints(): the oldest first. `objective`
/// is the monitored metric, by which plan::best_steps() finds the best evaluation. Pure function.
Preference by_preference(const std::vector<checkpoint::Listed>& checkpoints,
                         const plan::Evaluations& evaluations, const plan::Objective& objective);

/// Names the checkpoint that stands for a run.
struct Standing {
  checkpoint::Listed checkpoint;
  /// It is the checkpoint of the best evaluation, and not one in its place.
  bool is_best = false;
  /// A sentence for each damaged checkpoint before it: "step-00000500 is left out: …".
  std::vector<std::string> left_out;
};

/// Calls `take`, which reads a checkpoint or compares it with its manifest, for one checkpoint
/// after another, until a call does not throw checkpoint::Damaged, and returns that checkpoint. A
/// checkpoint without a manifest counts as damaged without a call. Other exceptions of `take` pass
/// through. Throws knead::Error if none is whole; the message names `run_folder`.
Standing take_first_whole(const Preference& preference, const std::filesystem::path& run_folder,
                          const std::function<void(const checkpoint::Listed&)>& take);

}  // namespace knead::run
