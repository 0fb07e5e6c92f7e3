#pragma once

#include "runner/engine/verbs/call.h"
#include "schema/document/error.h"

namespace knead::engine {

// Each verb of the engine has its own file. main() turns the exceptions of a verb into a message
// and an exit code.

/// Trains the model of a recipe, from the newest checkpoint in the run's folder if there is one.
Exit run(const Call& call);

/// Prints the plan of a recipe and rehearses its first step. Writes no file of the run.
Exit plan_run(const Call& call);

/// Trains for some seconds and prints how the time of a step is spent. Writes no file of the run.
Exit bench_run(const Call& call);

/// Writes the best weights of a run for other programs.
Exit export_run(const Call& call);

/// Prints the loss and the metrics of the best weights of a run on one or more sets.
Exit evaluate_run(const Call& call);

/// Writes the outputs of the best weights of a run for a set of the recipe or another file.
Exit predict_run(const Call& call);

/// Prints the version of LibTorch, the cores of this process and the state of CUDA.
Exit env();

}  // namespace knead::engine
