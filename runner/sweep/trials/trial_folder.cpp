#include "runner/sweep/trials/trial_folder.h"

#include <cmath>
#include <limits>

#include "runner/sweep/trials/record.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::sweep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Returns all evaluations of a run, those of the training set from its reports.
plan::Evaluations evaluations_of(const std::filesystem::path& run_folder) {
  plan::Evaluations all = track::read_evaluations(run_folder / track::kEvaluationsFile);
  const auto reports = track::as_evaluations(track::read_reports(run_folder / track::kMetricsFile));
  all.insert(all.end(), reports.begin(), reports.end());
  return all;
}

/// Returns the values of a metric SET/METRIC by step.
std::vector<plan::Value> values_of(const plan::Evaluations& evaluations,
                                   const std::string& metric) {
  std::vector<plan::Value> values;
  for (const plan::Evaluation& each : evaluations) {
    for (const auto& [name, value] : each.values)
      if (metric == each.set + "/" + name) values.push_back({each.step, value});
  }
  return values;
}

double as_loss(double value, plan::Goal goal) { return goal == plan::Goal::low ? value : -value; }

}  // namespace

Trial read_trial(const TrialName& name, const std::filesystem::path& run_folder,
                 const plan::Objective& objective, const recipe::Recipe& recipe) {
  Trial trial{.name = name};
  const auto record = read_record(run_folder);
  if (!record) return trial;
  try {
    const plan::Evaluations evaluations = evaluations_of(run_folder);
    if (const auto last = track::last_report(run_folder / track::kMetricsFile))
      trial.seconds = last->time;
    trial.objective = values_of(evaluations, objective.metric);
    trial.best = plan::best_value(evaluations, objective);
    if (record->state == TrialState::finished)
      trial.measured = plan::measure(recipe.expect, recipe.evaluate.metrics, evaluations);
  } catch (const Error&) {
    // Results that cannot be read count as not measured: the trial waits, unless it has failed.
    if (record->state != TrialState::failed) return {.name = name};
  }
  trial.state = record->state;
  trial.code = record->code;
  trial.last_lines = record->last_lines;
  return trial;
}

double loss_at_step(const Trial& trial, std::uint64_t step, plan::Goal goal) {
  double loss = kNone;
  for (const plan::Value& each : trial.objective)
    if (each.step <= step) loss = as_loss(each.value, goal);
  return loss;
}

double best_loss_until(const Trial& trial, std::uint64_t step, plan::Goal goal) {
  double best = kNone;
  for (const plan::Value& each : trial.objective)
    // fmin() ignores what is not a number.
    if (each.step <= step) best = std::fmin(best, as_loss(each.value, goal));
  return best;
}

double loss_of(const Trial& trial, plan::Goal goal) {
  return trial.best ? as_loss(trial.best->value, goal) : kNone;
}

}  // namespace knead::sweep
