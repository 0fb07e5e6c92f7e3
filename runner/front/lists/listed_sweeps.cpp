#include "runner/front/lists/listed_sweeps.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "runner/sweep/output/sweep_lines.h"
#include "runner/track/short_text.h"
#include "schema/document/json_text.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Takes one line of sweep.jsonl into account. Throws nlohmann::json::exception if it is none.
void add(const nlohmann::json& trial, ListedSweep& sweep) {
  const auto state = trial.at("state").get<std::string>();
  ++sweep.states[state];
  sweep.metric = trial.at("metric").get<std::string>();
  if (state != "finished" || !trial.at("best").is_number()) return;
  const plan::Value value{trial.at("best_step").get<std::uint64_t>(),
                          trial.at("best").get<double>()};
  const bool is_low = plan::goal_of(sweep.metric) == plan::Goal::low;
  const bool is_better =
      !sweep.best || (is_low ? value.value < sweep.best->value : value.value > sweep.best->value);
  if (is_better) sweep.best = value;
}

std::optional<ListedSweep> read_sweep(const fs::path& run_folder) {
  ListedSweep sweep{.name = run_folder.filename().string(), .folder = run_folder / "sweep"};
  std::istringstream lines(files::read_text_or_nothing(sweep.folder / sweep::kLinesFile));
  try {
    for (std::string line; std::getline(lines, line);) add(schema::parse_json(line), sweep);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return sweep.states.empty() ? std::nullopt : std::optional(std::move(sweep));
}

}  // namespace

std::vector<ListedSweep> find_sweeps(const fs::path& folder) {
  std::vector<ListedSweep> sweeps;
  std::error_code unread;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unread)) {
    if (auto sweep = read_sweep(entry.path())) sweeps.push_back(std::move(*sweep));
  }
  std::sort(sweeps.begin(), sweeps.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return sweeps;
}

std::string sweeps_text(const std::vector<ListedSweep>& sweeps) {
  std::string text;
  for (const ListedSweep& sweep : sweeps) {
    std::string states;
    for (const auto& [state, count] : sweep.states)
      states += fmt::format("{}{} {}", states.empty() ? "" : ", ", count, state);
    const std::string best =
        sweep.best ? fmt::format("; best {} {} at {}", sweep.metric,
                                 track::short_number(sweep.best->value), sweep.best->step)
                   : "";
    text += fmt::format("sweep {}: {}{}; 'knead runs {}' lists its trials\n", sweep.name, states,
                        best, sweep.folder.string());
  }
  return text;
}

}  // namespace knead::front
