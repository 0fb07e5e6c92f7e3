#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/track/sink.h"
#include "schema/document/node.h"

namespace knead::run {

/// Describes a run to its sinks. `tree` is the recipe as load() returns it; `step`: the last step
/// of earlier starts.
track::About about_run(const std::filesystem::path& folder, std::uint64_t step,
                       const recipe::Recipe& recipe, const schema::Node& tree);

/// Holds what is needed to give the numbers of a run to a sink after its end.
struct TrackedRun {
  recipe::Sink sink;  // resolved
  track::About about;
  track::RunEnd end = track::RunEnd::stopped;  // as the folder of the run tells
};

/// Returns overrides that leave of a run's recipe one sink, the first of the kind `type`, with
/// other values for its keys: `settings` are words such as "url=http://127.0.0.1:5000". A sink that
/// the recipe lacks is added. No secret is read, and nobody is notified. Throws knead::Error if the
/// folder is not that of a run.
std::vector<std::string> overrides_for_sink(const std::filesystem::path& folder,
                                            const std::string& type,
                                            const std::vector<std::string>& settings);

/// Reads the recipe of a run with the overrides of overrides_for_sink(). Throws InvalidRecipe, and
/// knead::Error if the run is being trained now, because it gives its numbers to its sinks itself.
TrackedRun tracked_run(const std::filesystem::path& folder,
                       const std::vector<std::string>& overrides);

/// Returns the folders of runs at a path: the folder of a run itself; of a sweep, which may be that
/// of the recipe's name or its folder `sweep`, those of the trials, sorted. Throws knead::Error if
/// there are none.
std::vector<std::filesystem::path> runs_at(const std::filesystem::path& path);

}  // namespace knead::run
