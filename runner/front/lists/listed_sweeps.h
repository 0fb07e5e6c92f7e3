#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/decide.h"

namespace knead::front {

/// Describes a sweep by its file sweep.jsonl, for the verb runs.
struct ListedSweep {
  std::string name;
  std::filesystem::path folder;                 // <output>/<name>/sweep
  std::map<std::string, std::size_t> states{};  // how many trials are in each
  std::string metric{};                         // the objective
  std::optional<plan::Value> best{};            // of the trials that have finished
};

/// Returns the sweeps whose folders lie in a folder of runs, by name. One that cannot be read is
/// left out: its trials are listed by themselves.
std::vector<ListedSweep> find_sweeps(const std::filesystem::path& folder);

/// Returns a line for each sweep: its trials by state, the best value, and what lists the trials.
std::string sweeps_text(const std::vector<ListedSweep>& sweeps);

}  // namespace knead::front
