#include "runner/sweep/output/optuna_journal.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

#include "runner/sweep/output/value.h"
#include "schema/document/json_text.h"

namespace knead::sweep {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of optuna.storages.journal and optuna.trial.TrialState.
constexpr int kCreateStudy = 0;
constexpr int kCreateTrial = 4;
constexpr int kMinimize = 1;
constexpr int kMaximize = 2;
constexpr int kComplete = 1;
constexpr int kPruned = 2;
constexpr int kFailed = 3;

std::optional<int> state_for_optuna(const Trial& trial) {
  switch (trial.state) {
    case TrialState::finished: return trial.best ? kComplete : kFailed;
    case TrialState::pruned: return kPruned;
    case TrialState::failed: return kFailed;
    case TrialState::waiting:
    case TrialState::running:
    case TrialState::stopped: break;
  }
  return std::nullopt;
}

/// Returns a time since 1970 as Python's datetime.isoformat(timespec="microseconds") does.
std::string optuna_time(double seconds) {
  const auto microseconds = static_cast<std::int64_t>(std::llround(seconds * 1e6));
  const auto whole = static_cast<std::time_t>(microseconds / 1'000'000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}", fmt::gmtime(whole), microseconds % 1'000'000);
}

Json category(const std::string& choice) {
  Json value = value_as_json(choice);
  return value.is_structured() ? Json(choice) : value;
}

/// Writes a distribution, of which a parameter of a trial is the text.
struct DistributionOf {
  const SweptKey& key;

  Json operator()(const Choices&) const {
    Json choices = Json::array();
    for (const std::string& choice : key.choices) choices.push_back(category(choice));
    return {{"name", "CategoricalDistribution"}, {"attributes", {{"choices", choices}}}};
  }
  Json operator()(const Range& range) const {
    if (!range.is_integer) {
      return {
          {"name", "FloatDistribution"},
          {"attributes",
           {{"step", nullptr}, {"low", range.low}, {"high", range.high}, {"log", range.is_log}}}};
    }
    return {{"name", "IntDistribution"},
            {"attributes",
             {{"log", range.is_log},
              {"step", 1},
              {"low", std::llround(range.low)},
              {"high", std::llround(range.high)}}}};
  }
};

/// Returns a value as Optuna stores it: the index of a category, or the number.
Json stored_value(const SweptKey& key, const std::string& value) {
  if (std::holds_alternative<Range>(key.dimension)) return value_as_json(value);
  const auto choice = std::find(key.choices.begin(), key.choices.end(), value);
  assert(choice != key.choices.end());
  return choice - key.choices.begin();
}

/// Returns `value` of Optuna's FrozenTrial.
Json value_for_optuna(const Trial& trial, int state, const Json& intermediate_values) {
  if (state == kComplete) return trial.best->value;
  const bool has_value = state == kPruned && !intermediate_values.empty();
  return has_value ? intermediate_values.back() : Json(nullptr);
}

Json optuna_trial(const Trial& trial, int state, const std::vector<SweptKey>& keys,
                  const std::vector<std::string>& distributions) {
  Json params = Json::object(), spaces = Json::object(), values = Json::object();
  for (const auto& [name, value] : trial.name.values) {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const SweptKey& each) { return each.key == name; });
    assert(key != keys.end());
    params[name] = stored_value(*key, value);
    spaces[name] = distributions[static_cast<std::size_t>(key - keys.begin())];
  }
  for (const plan::Value& each : trial.objective) {
    if (std::isfinite(each.value)) values[std::to_string(each.step)] = each.value;
  }
  const Json value = value_for_optuna(trial, state, values);
  return {{"op_code", kCreateTrial},
          {"worker_id", "knead"},
          {"study_id", 0},
          {"state", state},
          {"value", value},
          {"values", nullptr},
          {"distributions", spaces},
          {"params", params},
          {"user_attrs",
           {{"trial", trial.name.id}, {"point", trial.name.point}, {"repeat", trial.name.repeat}}},
          {"system_attrs", Json::object()},
          {"intermediate_values", values},
          {"datetime_start", optuna_time(0)},
          {"datetime_complete", optuna_time(trial.seconds)}};
}

}  // namespace

std::string optuna_journal(const Outcome& outcome) {
  std::vector<std::string> distributions;
  for (const SweptKey& key : outcome.keys)
    distributions.push_back(
        schema::readable_json_text(std::visit(DistributionOf{key}, key.dimension)));
  const bool is_low = outcome.objective.goal == plan::Goal::low;
  const Json study{{"op_code", kCreateStudy},
                   {"worker_id", "knead"},
                   {"study_name", outcome.name},
                   {"directions", Json::array({is_low ? kMinimize : kMaximize})}};
  std::string out = schema::readable_json_text(study) + "\n";
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials) {
      const std::optional<int> state = state_for_optuna(*trial);
      if (!state) continue;
      const Json line = optuna_trial(*trial, *state, outcome.keys, distributions);
      out += schema::readable_json_text(line) + "\n";
    }
  }
  return out;
}

}  // namespace knead::sweep
