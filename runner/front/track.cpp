#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "runner/run/tracked_run.h"
#include "runner/track/replay.h"
#include "runner/track/sinks/file_sinks.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

/// Writes the files of a sink anew from the journals of a run.
Exit write_files(const std::filesystem::path& folder, const std::vector<std::string>& overrides) {
  const run::TrackedRun run = run::tracked_run(folder, overrides);
  std::size_t warnings = 0;
  const track::Warn warn = [&](const std::string& text) {
    ++warnings;
    tell(fmt::format("warning: {}\n", text));
  };
  const auto sink = track::remake_file_sink(run.sink, run.about, warn);
  track::replay(folder, track::journal_ends(folder), *sink);
  sink->ended(run.end);
  if (warnings > 0) return Exit::not_usable;
  tell(fmt::format("{}: {} has all numbers of {}\n", folder.string(), recipe::kind_of(run.sink),
                   run.about.name()));
  return Exit::done;
}

}  // namespace

Exit track_verb(const Arguments& arguments) {
  const std::string example = "for example: " + find_verb("track")->example;
  if (arguments.files.size() != 1)
    throw Error("'track' takes the folder of a run or a sweep", example, Exit::invalid_recipe);
  if (!arguments.has("to"))
    throw Error("'track' needs --to with the kind of a sink", example, Exit::invalid_recipe);
  const std::string& type = arguments.options.at("to");
  const launch::HeldSignals signals;
  Exit worst = Exit::done;
  for (const std::filesystem::path& folder : run::runs_at(arguments.files[0])) {
    const auto overrides = run::overrides_for_sink(folder, type, arguments.overrides);
    Exit end = Exit::done;
    if (type == "mlflow") {
      std::vector<std::string> words{"track", "--", folder.string()};
      words.insert(words.end(), overrides.begin(), overrides.end());
      end = run_engine(words, signals);
    } else {
      end = write_files(folder, overrides);
    }
    if (end != Exit::done) worst = end;
    if (end == Exit::stopped || end == Exit::interrupted) break;
  }
  return worst;
}

}  // namespace knead::front
