#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/plan/expectations.h"
#include "runner/sweep/output/outcome.h"

namespace knead::report {

/// When a trial began and ended, by the first and the last line of its log: "2026-11-25 13:18:37",
/// by the clock of its machine. A trial that was interrupted has the time between its starts too.
struct TrialTimes {
  std::string began;
  std::string ended;
};

/// A key of the best recipe next to the recipe that the sweep began with.
struct BestValue {
  std::string key;
  std::string best;
  std::string base;  // "" if that recipe does not have the key
};

/// All that pages show of a sweep. Its numbers are those of sweep.jsonl, which `knead sweep` keeps
/// up to date.
struct ReportedSweep {
  std::filesystem::path folder;  // where sweep.jsonl is
  sweep::Outcome outcome{.name = "", .objective = ""};
  /// Judgements of the points that have them, by the point's number.
  std::map<std::size_t, std::vector<plan::Judgement>> expectations;
  std::map<std::string, TrialTimes> times;  // by id of the trial
  std::vector<BestValue> best_values;       // as best.yaml has them
  std::string best_recipe;                  // the text of best.yaml; empty if there is none
  std::vector<std::string> notes;           // what could not be read
};

/// Returns the folder of sweep.jsonl: `folder` itself, or its subfolder `sweep`; std::nullopt if
/// neither has the file.
std::optional<std::filesystem::path> sweep_folder(const std::filesystem::path& folder);

/// Reads a sweep from the folder of sweep.jsonl, in bounded memory and without a look outside of it
/// (contained_files.h). Throws files::FileError if the folder or the file cannot be read.
ReportedSweep read_sweep(const std::filesystem::path& folder);

}  // namespace knead::report
