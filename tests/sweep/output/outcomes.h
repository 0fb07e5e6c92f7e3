#pragma once

#include <cmath>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// What a trial has of the expectations of one_of_each(): its loss and its accuracy.
inline plan::Measurements measured_at(std::uint64_t step, double loss, double accuracy) {
  return {{true, plan::Value{step, loss}}, {true, plan::Value{step, accuracy}}};
}

/// A trial as tests need it: its values and the objective by step, of which the lowest is the best.
/// What it has of expectations meets them.
inline Trial trial_of(std::size_t point, int repeat, const std::string& rate,
                      const std::string& activation, TrialState state,
                      std::vector<plan::Value> objective) {
  Trial out;
  out.name = {.id = "000000000000000" + std::to_string(point),
              .point = point,
              .repeat = repeat,
              .values = {{"optimizer.lr", rate},
                         {"model.args.activation", activation},
                         {"model.args.width", "32"}}};
  out.state = state;
  out.objective = std::move(objective);
  for (const plan::Value& each : out.objective) {
    if (each.value == each.value && (!out.best || each.value < out.best->value)) out.best = each;
  }
  out.seconds = 1.5;
  if (state == TrialState::finished) out.measured = measured_at(10, 0.5, 0.95);
  return out;
}

inline recipe::Expectation expectation_of(const std::string& metric) {
  return {metric, {}, {}, {}, {}, {}, {}, recipe::Expectation::Value::last};
}

/// A sweep with a trial in each state, in an order that is not that of the points.
inline Outcome one_of_each() {
  using enum TrialState;
  Outcome out{.name = "digits",
              .objective = "validation/loss",
              .keys = {{.key = "optimizer.lr",
                        .dimension = Range{.low = 1e-4, .high = 0.1, .is_log = true}},
                       {.key = "model.args.activation",
                        .dimension = Choices{.count = 2},
                        .choices = {"relu", "\"a, \\\"b\\\"\""}},
                       {.key = "model.args.width",
                        .dimension = Range{.low = 16, .high = 64, .is_integer = true}}}};
  out.expect = {expectation_of("validation/loss"), expectation_of("validation/accuracy")};
  out.expect[0].at_most = 0.6;
  out.expect[1].at_least = 0.9;
  Trial diverged = trial_of(2, 0, "0.1", "relu", failed, {{10, 2.5}, {20, std::nan("")}});
  diverged.code = 5;
  diverged.last_lines = {"step 20 of 40", "error: the loss is <NaN> at step 20"};
  Trial unmet = trial_of(1, 0, "0.001", "\"a, \\\"b\\\"\"", finished, {{10, 1.25}, {20, 0.5}});
  unmet.code = 4;
  unmet.measured = measured_at(20, 0.5, 0.8);
  Trial good = trial_of(0, 0, "0.01", "relu", finished, {{10, 1}, {20, 0.25}, {30, 0.3125}});
  good.code = 0;
  good.measured = measured_at(30, 0.3125, 0.95);
  out.trials = {diverged, good, unmet};
  out.trials.push_back(trial_of(3, 0, "0.0001", "relu", pruned, {{10, 2}}));
  out.trials.push_back(trial_of(4, 0, "0.002", "relu", stopped, {{10, 1.5}}));
  out.trials.push_back(trial_of(5, 0, "0.003", "relu", running, {}));
  out.trials.push_back(trial_of(6, 0, "0.004", "relu", waiting, {}));
  return out;
}

}  // namespace knead::sweep
