#pragma once

#include <chrono>
#include <memory>

#include "recipe.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Bounds the time that an MLflow server may take.
struct MlflowPatience {
  std::chrono::milliseconds pause{1'000};     // between batches, so that they gather numbers
  std::chrono::milliseconds longest{60'000};  // between attempts; they become rarer at each failure
  std::chrono::milliseconds at_end{8'000};    // for all that is missing when a run has finished
  std::chrono::milliseconds at_stop{3'000};   // a stopped run has to make room soon
};

/// Returns a sink that sends to an MLflow server from a thread of its own. report() and evaluated()
/// wake that thread only: it reads the numbers from the journals. A server that fails is warned
/// about once; at the end, if something is missing there, a warning says how to send it. `kind` is
/// resolved. `warn` is called on the calling thread only. Throws knead::Error if the address cannot
/// be used, or the record of the run cannot be read.
std::unique_ptr<Sink> make_mlflow(const recipe::MlflowSink& kind, const About& about, Warn warn,
                                  MlflowPatience patience = {});

/// Makes any sink of a recipe, as make_file_sink() and make_mlflow() do.
std::unique_ptr<Sink> make_sink(const recipe::Sink& kind, const About& about,
                                const Positions& positions, const Warn& warn);

}  // namespace knead::track
