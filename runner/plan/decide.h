#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/early_stopping.h"
#include "recipe/expect.h"
#include "recipe/metrics.h"
#include "runner/plan/evaluations.h"

// Decisions that follow from evaluations. Metrics are named SET/METRIC, as in a recipe:
// validation/accuracy_top5.

namespace knead::plan {

/// The direction in which a metric improves: towards low or high values.
enum class Goal { low, high };

/// Returns the goal of a built-in metric by its name: high for accuracy, f1, precision, recall,
/// auroc and r2, low for losses and errors. The recipe gives the goal of a script metric; see
/// objective().
Goal goal_of(std::string_view metric);

/// A metric with its goal. Constructed from a name alone, it has goal_of() the name.
struct Objective {
  std::string metric;
  Goal goal;

  Objective(std::string name) : metric(std::move(name)), goal(goal_of(metric)) {}
  Objective(const char* name) : Objective(std::string(name)) {}
  Objective(std::string name, Goal good) : metric(std::move(name)), goal(good) {}
};

/// Returns the objective for a metric SET/METRIC, with the goal from `evaluate.metrics`.
Objective objective(const std::string& metric, const std::vector<recipe::Metric>& metrics);

/// Returns the objective for a metric SET/METRIC, with the goal from the tree of a recipe, for
/// example of another run.
Objective objective(const std::string& metric, const schema::Node& recipe);

/// Returns the names of the metrics, without SET/, in the recipe's order.
std::vector<std::string> metric_names(const std::vector<recipe::Metric>& metrics);

/// A value of a metric and the step of its evaluation.
struct Value {
  std::uint64_t step = 0;
  double value = 0;

  bool operator==(const Value&) const = default;
};

/// Returns the metric of the last evaluation that has it, possibly NaN, or std::nullopt if none
/// has.
std::optional<Value> last_value(const Evaluations& evaluations, std::string_view metric);

/// Returns the best value, of equal ones the earliest. NaN and infinities are never best.
std::optional<Value> best_value(const Evaluations& evaluations, const Objective& objective);

/// Returns whether the last evaluation that has the metric is the best one so far.
bool is_best(const Evaluations& evaluations, const Objective& objective);

/// Returns the steps with the best values, best first, at most `most`. checkpoint.keep.best keeps
/// the checkpoints of these steps.
std::vector<std::uint64_t> best_steps(const Evaluations& evaluations, const Objective& objective,
                                      std::size_t most);

/// Defines when a metric has stopped improving: after `evaluations` evaluations in a row that are
/// not better than the best one before by more than min_delta. NaN is never better.
struct Patience {
  std::string metric;
  Goal goal = Goal::low;
  std::size_t evaluations = 1;
  double min_delta = 0;
};

/// Counts how often the patience was used up. Each time, the count of evaluations restarts and the
/// best value stays.
std::size_t plateaus(const Evaluations& evaluations, const Patience& patience);

/// Returns the patience of a resolved `early_stopping` block.
Patience patience_of(const recipe::EarlyStopping& early_stopping);

/// Returns the message of an early stop, "validation/loss has not been better than 0.31 (step 470)
/// for 3 evaluations", or std::nullopt if the patience was never used up.
std::optional<std::string> why_stop_early(const Patience& patience, const Evaluations& evaluations);

/// The result of one item of `expect`.
struct Judgement {
  bool met = false;
  std::string sentence;  // "expect validation/accuracy at least 0.88: 0.912, met"
};

/// Judges each expectation in order, with the goals from `metrics`. train/loss is read from
/// evaluations of the set "train", which track::as_evaluations() makes. A metric that was never
/// computed or never finite fails.
std::vector<Judgement> judge(const std::vector<recipe::Expectation>& expectations,
                             const std::vector<recipe::Metric>& metrics,
                             const Evaluations& evaluations);

}  // namespace knead::plan
