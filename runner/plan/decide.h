#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/early_stopping.h"
#include "recipe/metrics.h"
#include "runner/plan/evaluations.h"

// Decisions that follow from evaluations. Metrics are named SET/METRIC, as in a recipe:
// validation/accuracy_top5.

namespace knead::plan {

/// The direction in which a metric improves: towards low or high values.
enum class Goal { low, high };

/// Returns the goal of a built-in metric by its name, with or without SET/: high for accuracy, f1,
/// precision, recall, auroc and r2, low for losses, errors and unknown names. The recipe gives the
/// goal of a script metric; see objective().
Goal goal_of(std::string_view metric);

/// A metric with its goal. Constructed from a name alone, it has goal_of() the name.
struct Objective {
  std::string metric;
  Goal goal;

  Objective(std::string name) : metric(std::move(name)), goal(goal_of(metric)) {}
  Objective(const char* name) : Objective(std::string(name)) {}
  Objective(std::string name, Goal good) : metric(std::move(name)), goal(good) {}
};

/// Returns the objective for a metric SET/METRIC, with the goal from `evaluate.metrics`. A metric
/// that is not in the list, such as the loss, has goal_of() its name.
Objective objective(const std::string& metric, const std::vector<recipe::Metric>& metrics);

/// Returns the objective for a metric SET/METRIC, with the goal from the tree of a recipe, for
/// example of another run.
Objective objective(const std::string& metric, const schema::Node& recipe);

/// Returns the names of the metrics, without SET/, in the recipe's order: the key `name`, or the
/// kind ("accuracy_top5").
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

/// Returns whether the last evaluation that has the metric is the best one so far. A value that
/// only equals an earlier best is not; without any value the answer is false.
bool is_best(const Evaluations& evaluations, const Objective& objective);

/// Returns the steps with the best values, best first, at most `most`. checkpoint.keep.best keeps
/// the checkpoints of these steps.
std::vector<std::uint64_t> best_steps(const Evaluations& evaluations, const Objective& objective,
                                      std::size_t most);

/// Defines when a metric has stopped improving: after `evaluations` evaluations in a row, at least
/// 1, that are not better than the best one before by more than min_delta. NaN and infinities are
/// never better. An evaluation without the metric does not count.
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
/// for 3 evaluations", or std::nullopt if the patience was never used up. Later evaluations do not
/// change the answer: the first time decides.
std::optional<std::string> why_stop_early(const Patience& patience, const Evaluations& evaluations);

}  // namespace knead::plan
