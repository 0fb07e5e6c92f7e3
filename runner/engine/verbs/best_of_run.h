#pragma once

#include "runner/checkpoint/inspect.h"
#include "runner/engine/verbs/call.h"

namespace knead::engine {

/// What a run has to give: its recipe as it was understood, and the checkpoint of its best step, or
/// the newest where that one is gone or damaged.
struct BestOfRun {
  Understood understood;
  checkpoint::Found found;
};

/// Reads the folder of a run, `call.file`; the overrides of the call change its recipe. Says on
/// standard error which damaged checkpoints are left out. Throws knead::Error where the folder is
/// none, or holds no checkpoint that is whole.
BestOfRun best_of_run(const Call& call);

}  // namespace knead::engine
