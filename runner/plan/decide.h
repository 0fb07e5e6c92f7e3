#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe.h"
#include "runner/plan/evaluations.h"

/// What evaluations decide. Metrics are named SET/METRIC, as in a recipe: validation/accuracy_top5.

namespace knead::plan {

/// Which way a metric is good.
enum class Goal { low, high };

/// High for accuracies and their like, low for losses and errors. A script metric has the goal that
/// the recipe gives it: Objective.
Goal goal_of(std::string_view metric);

/// A metric and which way it is good. A name alone has the goal of its kind.
struct Objective {
  std::string metric;
  Goal goal;

  Objective(std::string name) : metric(std::move(name)), goal(goal_of(metric)) {}
  Objective(const char* name) : Objective(std::string(name)) {}
  Objective(std::string name, Goal good) : metric(std::move(name)), goal(good) {}
};

/// A metric by its name SET/METRIC, with the goal that `evaluate.metrics` gives it.
Objective objective(const std::string& metric, const std::vector<recipe::Metric>& metrics);

/// The same for the recipe of another run, as its file says it.
Objective objective(const std::string& metric, const schema::Node& recipe);

/// The names of the metrics, as they stand after SET/, in the recipe's order.
std::vector<std::string> metric_names(const std::vector<recipe::Metric>& metrics);

/// A value of a metric, and the step it was seen at.
struct Value {
  std::uint64_t step = 0;
  double value = 0;

  bool operator==(const Value&) const = default;
};

/// The metric at the last evaluation that has it, be it NaN; nothing if none has.
std::optional<Value> last_value(const Evaluations& evaluations, std::string_view metric);

/// Its best value; of equal ones the earliest. NaN is never best, nor is an infinity.
std::optional<Value> best_value(const Evaluations& evaluations, const Objective& objective);

/// Whether the last evaluation that has the metric is the best one so far.
bool is_best(const Evaluations& evaluations, const Objective& objective);

/// The steps with the best values, best first, `most` at most: what checkpoint.keep.best keeps.
std::vector<std::uint64_t> best_steps(const Evaluations& evaluations, const Objective& objective,
                                      std::size_t most);

/// When a metric counts as no longer getting better: after so many evaluations in a row of which
/// none is better than the best before by more than min_delta. NaN is never better.
struct Patience {
  std::string metric;
  Goal goal = Goal::low;
  std::size_t evaluations = 1;
  double min_delta = 0;
};

/// How often that has happened. Each time the evaluations are counted anew, and the best stays.
std::size_t plateaus(const Evaluations& evaluations, const Patience& patience);

/// What early_stopping says, resolved.
Patience patience_of(const recipe::EarlyStopping& early_stopping);

/// What a run that is stopped early is told: "validation/loss has not been better than 0.31 (step
/// 470) for 3 evaluations". Nothing where the patience has not been used up.
std::optional<std::string> why_stop_early(const Patience& patience, const Evaluations& evaluations);

/// One item of `expect`, judged.
struct Judgement {
  bool met = false;
  std::string sentence;  // "expect validation/accuracy at least 0.88: 0.912, met"
};

/// Judges each expectation, in their order, of metrics among `metrics`. train/loss is looked for in
/// evaluations of a set called train (track::as_evaluations). A metric that was never computed, or
/// is no finite number, meets nothing.
std::vector<Judgement> judge(const std::vector<recipe::Expectation>& expectations,
                             const std::vector<recipe::Metric>& metrics,
                             const Evaluations& evaluations);

}  // namespace knead::plan
