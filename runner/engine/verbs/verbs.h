#pragma once

#include "runner/engine/verbs/call.h"
#include "schema/document/error.h"

namespace knead::engine {

// The verbs of the engine, one file each. All throw what main() turns into a message and an exit
// code.

/// Trains what a recipe says, from where its folder is.
Exit run(const Call& call);

/// Prints what follows from a recipe and its data, and runs one micro-batch; touches nothing.
Exit plan_run(const Call& call);

/// Trains for some seconds and prints where the time of a step goes; touches nothing.
Exit bench_run(const Call& call);

/// Writes the best weights of a run for other programs.
Exit export_run(const Call& call);

/// Prints the loss and the metrics of the best weights of a run.
Exit evaluate_run(const Call& call);

/// Writes what the best weights of a run make of a set, or of another file.
Exit predict_run(const Call& call);

/// Prints the versions and devices that LibTorch sees.
Exit env();

}  // namespace knead::engine
