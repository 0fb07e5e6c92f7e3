#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/files/lock.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "runner/run/end_state.h"
#include "schema/document/node.h"

namespace knead::run {

/// Returns whether a folder has a run's lock or checkpoints; also true if that cannot be read.
bool is_run(const std::filesystem::path& folder);

/// Reads resolved.yaml of a run as far as it can be read. Ignores problems in it, because files
/// that it names may be gone. Returns an empty node if there is no such file.
schema::Node recipe_of(const std::filesystem::path& run_folder);

/// Returns evaluate.monitor of the recipe of a run, with its goal; its metric is empty without a
/// recipe. `recipe` is a tree as recipe_of() returns it.
plan::Objective monitor_of(const schema::Node& recipe);

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

/// Returns the state of a run by the parts of its folder: its lock, its checkpoints as
/// list_checkpoints() returns them, and its end.json.
RunState state_of(const files::LockState& lock, const std::vector<checkpoint::Listed>& checkpoints,
                  const std::optional<EndState>& end);

/// Returns the same from the step of the newest checkpoint, for a list of many runs that reads no
/// manifest.
RunState state_of(const files::LockState& lock, std::optional<std::uint64_t> saved,
                  const std::optional<EndState>& end);

/// Returns the step of the newest checkpoint with a whole manifest; std::nullopt if there is none.
std::optional<std::uint64_t> saved_step(const std::vector<checkpoint::Listed>& checkpoints);

/// Describes a run by the content of its folder. The run may be alive.
struct Overview {
  std::filesystem::path path;
  std::string name;
  RunState state = RunState::empty;
  /// The process that holds the lock, or held it when it died: "process 4711 on HOST since
  /// 2026-11-21 17:05:12". Empty in the other states.
  std::string holder;
  /// The last step that was reported or saved; 0 if there is none.
  std::uint64_t step = 0;
  /// End of a finished run, or of one that said why it failed; std::nullopt in the other states.
  std::optional<EndState> end;
  /// Metric evaluate.monitor; empty without a resolved recipe.
  std::string monitor;
  /// Best value of the monitored metric; std::nullopt if no evaluation has it.
  std::optional<plan::Value> best;
  /// The last evaluation of any set.
  std::optional<plan::Evaluation> last;
  /// As list_checkpoints() returns them: damaged manifests are noted, files are not read.
  std::vector<checkpoint::Listed> checkpoints;
  /// A sentence if the state is unreadable; else empty. look_at_run() throws instead: a caller that
  /// lists many runs sets it.
  std::string why_unreadable;
};

/// Reads the folder of a run without changing it. Throws knead::Error if a part cannot be read.
Overview look_at_run(const std::filesystem::path& folder);

}  // namespace knead::run
