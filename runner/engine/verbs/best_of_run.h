#pragma once

#include <filesystem>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/train/evaluated_weights.h"
#include "runner/engine/verbs/call.h"

namespace knead::engine {

/// Reads the recipe of a run, whose folder is `call.file`; the overrides of the call change it.
/// Starts LibTorch as understand() does. Throws knead::Error if the folder is not that of a run or
/// holds no checkpoint, and what understand() throws.
Understood recipe_of_run(const Call& call);

/// Reads the checkpoint that stands for a run (runner/run/best_checkpoint.h): that of the best
/// evaluation, or the newest whole one. Changes nothing in the folder, so that the run may be
/// alive. Warns on standard error about damaged checkpoints that it skips. Throws knead::Error if
/// no checkpoint is whole.
checkpoint::Found best_of_run(const std::filesystem::path& folder, const recipe::Evaluate& rule,
                              checkpoint::Hold hold = checkpoint::Hold::tensors);

/// Gives a model on all ranks, which must call it, the weights that best_of_run() reads on rank 0.
/// Returns their step. Throws as best_of_run() and restore_evaluated_weights().
std::uint64_t restore_best_of_run(const EvaluatedModel& evaluated,
                                  const std::filesystem::path& folder,
                                  const recipe::Evaluate& rule);

}  // namespace knead::engine
