#include <csignal>

#include <fmt/format.h>

#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/run/tracked_run.h"
#include "runner/track/network/mlflow_delivery.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {

Exit track_run(const Call& call) {
  std::signal(SIGPIPE, SIG_IGN);  // a server that goes away is an error of a call
  const run::TrackedRun run = run::tracked_run(call.file, call.overrides);
  const auto& sink = std::get<recipe::MlflowSink>(run.sink);
  const std::size_t elsewhere = track::deliver_all(sink, run.about, run.end);
  tell(fmt::format("{}: mlflow has all numbers of {}\n", call.file, run.about.name()));
  if (elsewhere > 0)
    tell(fmt::format("warning: the server stores artifacts elsewhere: {} were not sent\n",
                     elsewhere));
  return Exit::done;
}

}  // namespace knead::engine
