#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/sweep/trials/trial.h"

namespace knead::sweep {

/// The name of the file in a trial's run folder that its record is in.
inline constexpr const char* kTrialFile = "trial.json";

/// What a sweep notes of a trial beside what the run itself writes. The journals of the run have
/// the rest: see trial_of().
struct Record {
  /// `finished`, `failed` or `stopped`; a trial that waits at a rung is `stopped`.
  TrialState state = TrialState::stopped;
  /// The steps of the rungs that it has reached, in order.
  std::vector<std::uint64_t> rungs;
  /// Exit code of the last start.
  int code = 0;
  /// The last lines that a failed trial said, safe to print.
  std::vector<std::string> last_lines;

  bool operator==(const Record&) const = default;
};

/// Reads the record of a trial; std::nullopt if there is none. A record that cannot be parsed
/// counts as none, because a power cut may tear it: the run is then started again, finds how far it
/// is, and loses nothing.
std::optional<Record> read_record(const std::filesystem::path& run_folder);

/// Replaces the record of a trial, in one step for readers. Does not make it durable: see
/// read_record(). Throws knead::Error if it cannot be written.
void write_record(const Record& record, const std::filesystem::path& run_folder);

}  // namespace knead::sweep
