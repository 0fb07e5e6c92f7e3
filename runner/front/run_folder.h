#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"

namespace knead::front {

/// Classifies the state of a run.
enum class RunState {
  running,    // its lock is held
  finished,   // it reached train.until or stopped early, and its end is saved
  failed,     // its last start died, or ended with an error
  stopped,    // it can be resumed
  empty,      // it has no checkpoint
  unreadable  // its folder cannot be read
};

/// Returns the name of the enumerator.
std::string_view to_string(RunState state);

/// Describes a run by the content of its folder. The run may be alive.
struct RunFolder {
  std::filesystem::path path;
  std::string name;
  RunState state = RunState::empty;
  std::string holder;      // running, failed: "process 4711 on HOST since 2026-11-21 17:05:12"
  std::uint64_t step = 0;  // the last step that was reported or saved
  std::string monitor;     // evaluate.monitor; empty without a resolved recipe
  std::optional<plan::Value> best;       // best value of the monitored metric
  std::optional<plan::Evaluation> last;  // the last evaluation
  std::vector<checkpoint::Listed> checkpoints;
  std::string why_unreadable;  // a sentence if the state is unreadable; else empty
};

/// Returns whether a folder has a run's lock or checkpoints; also true if that cannot be read.
bool is_run(const std::filesystem::path& folder);

/// Reads the folder of a run without changing it. Throws knead::Error if a part cannot be read.
RunFolder look_at_run(const std::filesystem::path& folder);

/// Returns the bytes of all files that the manifest of a checkpoint names.
std::uint64_t bytes_of(const checkpoint::Manifest& manifest);

}  // namespace knead::front
