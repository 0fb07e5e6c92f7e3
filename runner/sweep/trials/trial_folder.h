#pragma once

#include <filesystem>

#include "recipe.h"
#include "runner/plan/decide.h"
#include "runner/sweep/trials/trial.h"

namespace knead::sweep {

/// Reads how a trial went from its run folder: its record, and the journals of the run. A folder
/// that is not there, or that is damaged, gives a trial that waits, because starting the run again
/// either mends it or says what is wrong. `recipe` is resolved, of the sweep; its `expect` says
/// what is looked at in a finished trial. Does not tell a pruned trial from a stopped one: the
/// agenda does.
Trial read_trial(const TrialName& name, const std::filesystem::path& run_folder,
                 const plan::Objective& objective, const recipe::Recipe& recipe);

/// Returns the objective of the last evaluation up to a step, as a loss: lower is better. NaN if
/// there is none.
double loss_at_step(const Trial& trial, std::uint64_t step, plan::Goal goal);

/// Returns the best objective up to a step, as a loss. NaN if there is none.
double best_loss_until(const Trial& trial, std::uint64_t step, plan::Goal goal);

/// Returns the best objective of a trial as a loss: lower is better. NaN if there is none.
double loss_of(const Trial& trial, plan::Goal goal);

}  // namespace knead::sweep
