#pragma once

#include "runner/engine/verbs/call.h"
#include "schema/document/error.h"

namespace knead::engine {

// Each verb of the engine has its own file. main() turns the exceptions of a verb into a message
// and an exit code.

/// Trains the model of a recipe, from the newest checkpoint in the run's folder if there is one, to
/// its end; then evaluates the test set, exports and judges. Locks the folder, writes to it and to
/// standard error. Returns Exit::done, Exit::expectation_failed, or Exit::stopped after a signal or
/// a time limit; every step made is saved then.
Exit run(const Call& call);

/// Prints the plan of a recipe on standard output, as text or JSON, and rehearses its first step.
/// Writes no file of the run. Throws the errors with which the run would begin.
Exit plan_run(const Call& call);

/// Trains for about 5 seconds and prints on standard output how the time of a step is spent, on
/// each rank; rank 0 prints it. Writes no file of the run.
Exit bench_run(const Call& call);

/// Writes the best weights of a run for other programs, to `call.out`. Builds the model from its
/// source only for TorchScript.
Exit export_run(const Call& call);

/// Prints the loss and the metrics of the best weights of a run on one or more sets, on standard
/// output; the journals of the run do not change. Returns Exit::stopped without output after a
/// signal.
Exit evaluate_run(const Call& call);

/// Writes the outputs of the best weights of a run for a set of the recipe or another file, to
/// `call.out`. Refuses an unknown extension before it computes.
Exit predict_run(const Call& call);

/// Prints what the language model of a run writes behind prompts, as text while it is written, or
/// as a line of JSON for each. Returns Exit::stopped after a signal, with what was written so far.
Exit generate_run(const Call& call);
/// Sends what a server lacks of the run in the folder `call.file` to it; the overrides name its
/// sink.
Exit track_run(const Call& call);

/// Sends the notices on standard input (run/notice.h), and warns of each that fails. Takes at most
/// about 5 seconds.
Exit notify();

/// Tells those whom the recipe of a run names how it ended, where `call.tells` asks for it. Throws
/// nothing.
void tell_end(const Call& call, Exit end);

/// Prints the version of LibTorch, the cores of this process and the state of CUDA. A GPU that
/// cannot be used is a line of it and not an error.
Exit env();

}  // namespace knead::engine
