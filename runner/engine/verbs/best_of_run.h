#pragma once

#include "runner/checkpoint/inspect.h"
#include "runner/engine/verbs/call.h"

namespace knead::engine {

/// Holds the recipe of a run and the checkpoint that stands for it (runner/run/best_checkpoint.h):
/// that of the best evaluation, or the newest whole one.
struct BestOfRun {
  Understood understood;
  checkpoint::Found found;
};

/// Reads the folder of a run, `call.file`; the overrides of the call change its recipe. Loads the
/// whole checkpoint into host memory, and starts LibTorch as understand() does. Changes nothing in
/// the folder, so that the run may be alive. Warns on standard error about damaged checkpoints that
/// it skips. Throws knead::Error if the folder is not that of a run, or holds no whole checkpoint,
/// and what understand() throws.
BestOfRun best_of_run(const Call& call);

}  // namespace knead::engine
