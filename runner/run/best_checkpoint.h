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
  std::vector<checkpoint::Listed> checkpoints;  // then the others, from the newest to the oldest
  bool begins_with_best = false;                // the first one is that of the best evaluation
};

/// Sorts `checkpoints`, the oldest first, as list_checkpoints() returns them.
Preference by_preference(const std::vector<checkpoint::Listed>& checkpoints,
                         const plan::Evaluations& evaluations, const plan::Objective& objective);

/// Names the checkpoint that stands for a run.
struct Standing {
  checkpoint::Listed checkpoint;
  bool is_best = false;               // of the best evaluation
  std::vector<std::string> left_out;  // "step-00000500 is left out: …", for each damaged one
};

/// Calls `take`, which reads a checkpoint or compares it with its manifest, for one checkpoint
/// after another, until a call does not throw checkpoint::Damaged, and returns that checkpoint.
/// Throws knead::Error if none is whole.
Standing take_first_whole(const Preference& preference, const std::filesystem::path& run_folder,
                          const std::function<void(const checkpoint::Listed&)>& take);

}  // namespace knead::run
