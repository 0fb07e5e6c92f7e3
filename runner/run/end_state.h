#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "runner/plan/expectations.h"

namespace knead::run {

/// Tells where and why a run ended. A run writes it to end.json when its last step is saved or when
/// it fails, and removes the file when it goes on.
struct EndState {
  /// The last step of the run, whose checkpoint is saved unless the run failed.
  std::uint64_t step = 0;
  /// The reason of an early stop; std::nullopt if train.until is reached.
  std::optional<std::string> why_early;
  /// Judgements of the items of `expect`, in their order; empty until the run has been judged.
  std::vector<plan::Judgement> expectations{};
  /// Why the run failed, in one sentence; std::nullopt if it did not fail.
  std::optional<std::string> failure{};
};

/// Returns the text of end.json, with a newline at its end. Replaces bytes that are not UTF-8.
std::string to_text(const EndState& end);

/// Returns judgements as a list of {"met": true, "sentence": "…"}.
nlohmann::ordered_json as_json(const std::vector<plan::Judgement>& expectations);

/// Parses the text of end.json; std::nullopt if it is another text.
std::optional<EndState> end_state_in(const std::string& text);

/// Reads end.json of a run; std::nullopt if the run has not ended. Throws knead::Error if the file
/// cannot be read or parsed.
std::optional<EndState> read_end_state(const std::filesystem::path& run_folder);

}  // namespace knead::run
