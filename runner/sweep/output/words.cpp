#include "runner/sweep/output/words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/sweep/output/value.h"

namespace knead::sweep {

std::string trial_in_words(const Trial& trial, int seeds) {
  std::string out;
  for (const auto& [key, value] : trial.name.values)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", key, value_in_words(value));
  return seeds == 1 ? out : out + fmt::format(", seed {} of {}", trial.name.repeat + 1, seeds);
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

std::string failure_in_words(const Trial& trial) {
  const std::string code =
      trial.code ? fmt::format("exit code {}", *trial.code) : "ended without an exit code";
  return trial.last_lines.empty() ? code : code + ": " + trial.last_lines.back();
}

std::vector<std::string> unmet_sentences(const Trial& trial) {
  std::vector<std::string> out;
  for (const plan::Judgement& each : trial.expectations) {
    if (!each.met) out.push_back(each.sentence);
  }
  return out;
}

}  // namespace knead::sweep
