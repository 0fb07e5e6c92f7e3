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

/// How a run is.
enum class RunState {
  running,   // its lock is held
  finished,  // it has all that its recipe says, and it is saved
  failed,    // its last start died, or ended with an error
  stopped,   // it can be resumed
  empty,     // nothing is saved
  unreadable
};

std::string_view to_string(RunState state);

/// What the folder of a run tells those who only look. It may be alive meanwhile.
struct RunFolder {
  std::filesystem::path path;
  std::string name;
  RunState state = RunState::empty;
  std::string holder;      // running, failed: "process 4711 on HOST since 2026-11-21 17:05:12"
  std::uint64_t step = 0;  // as far as it was reported or saved
  std::string monitor;     // evaluate.monitor; empty where the recipe is not there
  std::optional<plan::Value> best;  // of it
  std::optional<plan::Evaluation> last;
  std::vector<checkpoint::Listed> checkpoints;
  std::string why_unreadable;  // a sentence, where the folder cannot be looked into
};

/// Whether a folder is that of a run.
bool is_run(const std::filesystem::path& folder);

/// Looks, and changes nothing. Throws knead::Error for what cannot be read.
RunFolder look_at_run(const std::filesystem::path& folder);

/// The size of all files of a checkpoint that its manifest names.
std::uint64_t bytes_of(const checkpoint::Manifest& manifest);

}  // namespace knead::front
