#include "runner/sweep/output/words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "runner/sweep/output/value.h"

namespace knead::sweep {

std::string trial_in_words(const Trial& trial, int seeds) {
  std::string out;
  for (const auto& [key, value] : trial.name.values)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", key, value_in_words(value));
  return seeds == 1 ? out : out + fmt::format(", seed {} of {}", trial.name.repeat + 1, seeds);
}

std::string point_in_words(const PointResult& point) {
  return trial_in_words(*point.trials.front(), 1);
}

std::string states_in_words(const std::vector<Trial>& trials) {
  static constexpr std::array kOrder{TrialState::finished, TrialState::pruned,
                                     TrialState::failed,   TrialState::running,
                                     TrialState::stopped,  TrialState::waiting};
  std::string out;
  for (const TrialState state : kOrder) {
    const auto count = std::count_if(trials.begin(), trials.end(),
                                     [&](const Trial& trial) { return trial.state == state; });
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, to_string(state));
  }
  return out.empty() ? "no trials" : out;
}

namespace {

/// Returns the line of a failed run that says what went wrong: its last message or the last problem
/// of a file, without what stands below it; else its last line. `lines` is not empty.
std::string message_in(const std::vector<std::string>& lines) {
  constexpr std::string_view prefix = "knead: ";
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->starts_with(prefix)) return line->substr(prefix.size());
    if (line->find(": error: ") != std::string::npos) return *line;
  }
  return lines.back();
}

}  // namespace

std::string failure_in_words(const Trial& trial) {
  const std::string code =
      trial.code ? fmt::format("exit code {}", *trial.code) : "ended without an exit code";
  return trial.last_lines.empty() ? code : code + ": " + message_in(trial.last_lines);
}

}  // namespace knead::sweep
