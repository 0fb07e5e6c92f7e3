#include "runner/run/baseline.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "runner/plan/decide.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweepLines = "sweep.jsonl";

/// The value of a baseline, and how uncertain it is.
struct Level {
  double value = 0;
  double standard_error = 0;  // 0 without repeats
};

std::optional<double> value_in(const fs::path& journal, const recipe::Expectation& expectation,
                               const plan::Objective& objective) {
  const plan::Evaluations evaluations = track::read_evaluations(journal);
  const bool is_best = expectation.value == recipe::Expectation::Value::best;
  const auto value = is_best ? plan::best_value(evaluations, objective)
                             : plan::last_value(evaluations, objective.metric);
  return value && std::isfinite(value->value) ? std::optional(value->value) : std::nullopt;
}

Level level_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double each : values) sum += each;
  const double mean = sum / count;
  double squares = 0;
  for (const double each : values) squares += (each - mean) * (each - mean);
  return {mean, values.size() < 2 ? 0 : std::sqrt(squares / (count - 1) / count)};
}

/// Returns the values of a sweep's finished trials by point.
std::map<std::size_t, std::vector<double>> values_of_sweep(const fs::path& folder,
                                                           const recipe::Expectation& expectation,
                                                           const plan::Objective& objective) {
  std::map<std::size_t, std::vector<double>> points;
  std::istringstream lines(files::read_text_or_nothing(folder / kSweepLines));
  for (std::string line; std::getline(lines, line);) {
    const auto json = schema::parse_json_or_none(line);
    if (!json || json->value("state", "") != "finished") continue;
    const fs::path journal = folder / json->value("id", "") / track::kEvaluationsFile;
    if (const auto value = value_in(journal, expectation, objective))
      points[json->value("point", std::size_t{0})].push_back(*value);
  }
  return points;
}

/// Returns the level of the best point of a sweep; std::nullopt if none has the metric.
std::optional<Level> level_of_sweep(const fs::path& folder, const recipe::Expectation& expectation,
                                    const plan::Objective& objective) {
  std::optional<Level> best;
  for (const auto& [point, values] : values_of_sweep(folder, expectation, objective)) {
    const Level level = level_of(values);
    const bool is_better = !best || (objective.goal == plan::Goal::low ? level.value < best->value
                                                                       : level.value > best->value);
    if (is_better) best = level;
  }
  return best;
}

Level baseline_of(const recipe::Expectation& expectation, const plan::Objective& objective) {
  const fs::path path = *expectation.baseline;
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("the baseline {} {}", path.string(), what),
                "name the folder of a run or of a sweep, or a file evaluations.jsonl");
  };
  std::error_code failure;
  if (!fs::exists(path, failure)) refuse("does not exist");
  for (const fs::path& folder : {path, path / "sweep"}) {
    if (!fs::exists(folder / kSweepLines, failure)) continue;
    const auto level = level_of_sweep(folder, expectation, objective);
    if (!level) refuse(fmt::format("has no finished trial with {}", objective.metric));
    return *level;
  }
  const fs::path journal = fs::is_directory(path, failure) ? path / track::kEvaluationsFile : path;
  const auto value = value_in(journal, expectation, objective);
  if (!value) refuse(fmt::format("has no value of {}", objective.metric));
  return {*value};
}

}  // namespace

std::vector<recipe::Expectation> with_baselines(std::vector<recipe::Expectation> expectations,
                                                const std::vector<recipe::Metric>& metrics) {
  for (recipe::Expectation& each : expectations) {
    if (!each.baseline) continue;
    const plan::Objective objective = plan::objective(each.metric, metrics);
    const Level level = baseline_of(each, objective);
    const double allowed = each.at_most_worse.value() + 2 * level.standard_error;
    if (objective.goal == plan::Goal::low) {
      const double bound = level.value + allowed;
      each.at_most = each.at_most ? std::min(*each.at_most, bound) : bound;
    } else {
      const double bound = level.value - allowed;
      each.at_least = each.at_least ? std::max(*each.at_least, bound) : bound;
    }
  }
  return expectations;
}

}  // namespace knead::run
