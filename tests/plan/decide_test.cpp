#include "runner/plan/decide.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace knead;
using plan::Evaluations;
using plan::Value;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The loss and accuracy of the validation set at steps 10, 20, …
Evaluations evaluations(const std::vector<std::pair<double, double>>& loss_and_accuracy) {
  Evaluations all;
  for (const auto& [loss, accuracy] : loss_and_accuracy) {
    const std::uint64_t step = 10 * (all.size() + 1);
    all.push_back({step, "validation", {{"loss", loss}, {"accuracy", accuracy}}, 0.1});
  }
  return all;
}

using Steps = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a metric has the goal of its kind, whatever its name; a script's is written") {
  using plan::Goal;
  CHECK(plan::goal_of("validation/auroc") == Goal::high);
  CHECK(plan::goal_of("validation/r2") == Goal::high);
  CHECK(plan::goal_of("validation/perplexity") == Goal::low);
  CHECK(plan::goal_of("validation/accuracy_of_words") == Goal::low);  // nobody knows
  recipe::F1 named{};
  named.name = "quality";
  recipe::Accuracy top{};
  top.top = 5;
  recipe::ScriptMetric script{};
  script.name = "far";
  script.goal = recipe::ScriptMetric::Goal::maximize;
  const std::vector<recipe::Metric> metrics{named, top, script, recipe::RmseMetric{}};
  CHECK(plan::metric_names(metrics) ==
        std::vector<std::string>{"quality", "accuracy_top5", "far", "rmse"});
  CHECK(plan::objective("validation/quality", metrics).goal == Goal::high);
  CHECK(plan::objective("validation/far", metrics).goal == Goal::high);
  CHECK(plan::objective("validation/rmse", metrics).goal == Goal::low);
  CHECK(plan::objective("validation/loss", metrics).goal == Goal::low);
  const auto seen = evaluations({{1, 0.5}, {2, 0.25}});
  CHECK(plan::best_value(seen, {"validation/loss", Goal::high}) == Value{20, 2});
}

TEST_CASE("accuracies shall be high, everything else low") {
  CHECK(plan::goal_of("validation/accuracy") == plan::Goal::high);
  CHECK(plan::goal_of("test/accuracy_top5") == plan::Goal::high);
  CHECK(plan::goal_of("validation/loss") == plan::Goal::low);
  CHECK(plan::goal_of("train/loss") == plan::Goal::low);
}

TEST_CASE("the best value is the lowest loss, the highest accuracy") {
  const Evaluations seen = evaluations({{2.0, 0.3}, {1.0, 0.7}, {1.5, 0.8}});
  CHECK(plan::best_value(seen, "validation/loss") == Value{20, 1.0});
  CHECK(plan::best_value(seen, "validation/accuracy") == Value{30, 0.8});
  CHECK(plan::last_value(seen, "validation/loss") == Value{30, 1.5});
  CHECK(plan::best_value(seen, "test/loss") == std::nullopt);
  CHECK(plan::best_value(seen, "validation/f1") == std::nullopt);
  CHECK(plan::last_value({}, "validation/loss") == std::nullopt);
}

TEST_CASE("of equal values the earlier is best") {
  const Evaluations seen = evaluations({{1.0, 0.5}, {0.5, 0.7}, {0.5, 0.7}});
  CHECK(plan::best_value(seen, "validation/loss") == Value{20, 0.5});
  CHECK_FALSE(plan::is_best(seen, "validation/loss"));
  CHECK_FALSE(plan::is_best(seen, "validation/accuracy"));
}

TEST_CASE("what is not finite is never best") {
  CHECK(plan::best_value(evaluations({{kNaN, 0}, {3, 0}}), "validation/loss") == Value{20, 3});
  CHECK(plan::best_value(evaluations({{3, 0}, {kNaN, 0}}), "validation/loss") == Value{10, 3});
  CHECK(plan::best_value(evaluations({{-kInfinity, 0}, {3, 0}}), "validation/loss") ==
        Value{20, 3});
  CHECK(plan::best_value(evaluations({{kNaN, 0}}), "validation/loss") == std::nullopt);
  CHECK_FALSE(plan::is_best(evaluations({{kNaN, 0}}), "validation/loss"));
  CHECK_FALSE(plan::is_best(evaluations({{1, 0}, {kNaN, 0}}), "validation/loss"));
}

TEST_CASE("the first evaluation is the best so far, and each that is better") {
  CHECK(plan::is_best(evaluations({{2, 0}}), "validation/loss"));
  CHECK(plan::is_best(evaluations({{2, 0}, {1, 0}}), "validation/loss"));
  CHECK_FALSE(plan::is_best(evaluations({{1, 0}, {2, 0}}), "validation/loss"));
  CHECK(plan::is_best(evaluations({{kNaN, 0}, {2, 0}}), "validation/loss"));
}

TEST_CASE("another set does not decide") {
  Evaluations seen = evaluations({{2, 0.5}});
  seen.push_back({10, "test", {{"loss", 1.0}}, 0.1});
  CHECK(plan::best_value(seen, "validation/loss") == Value{10, 2});
  CHECK(plan::is_best(seen, "validation/loss"));
  CHECK(plan::last_value(seen, "test/loss") == Value{10, 1});
}

TEST_CASE("the steps that are kept as best") {
  const Evaluations seen =
      evaluations({{3, 0}, {1, 0}, {kNaN, 0}, {1, 0}, {2, 0}});  // steps 10 … 50
  CHECK(plan::best_steps(seen, "validation/loss", 0) == Steps{});
  CHECK(plan::best_steps(seen, "validation/loss", 1) == Steps{20});
  CHECK(plan::best_steps(seen, "validation/loss", 3) == Steps{20, 40, 50});
  CHECK(plan::best_steps(seen, "validation/loss", 9) == Steps{20, 40, 50, 10});
}

TEST_CASE("a step that was evaluated twice is kept once") {
  Evaluations seen = evaluations({{3, 0}});
  seen.push_back(seen[0]);
  CHECK(plan::best_steps(seen, "validation/loss", 2) == Steps{10});
}

TEST_CASE("a metric has stopped getting better after so many evaluations without a better one") {
  const auto times = [](const std::vector<std::pair<double, double>>& seen, std::size_t patience,
                        double min_delta = 0) {
    return plan::plateaus(evaluations(seen),
                          {"validation/loss", plan::Goal::low, patience, min_delta});
  };
  CHECK(times({}, 1) == 0);
  CHECK(times({{1, 0}}, 1) == 0);
  CHECK(times({{1, 0}, {1, 0}}, 1) == 1);
  CHECK(times({{1, 0}, {0.9, 0}, {0.95, 0}, {0.8, 0}}, 2) == 0);
  CHECK(times({{1, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 0}}, 2) == 2);
  CHECK(times({{1, 0}, {2, 0}, {0.5, 0}, {2, 0}, {0.5, 0}}, 2) == 1);
  CHECK(times({{1, 0}, {0.95, 0}, {0.91, 0}}, 2, 0.1) == 1);
  CHECK(times({{1, 0}, {0.95, 0}, {0.89, 0}}, 2, 0.1) == 0);
  CHECK(times({{kNaN, 0}, {kNaN, 0}, {1, 0}}, 2) == 1);
  CHECK(times({{-kInfinity, 0}, {1, 0}}, 2) == 0);
}

TEST_CASE("early stopping says what it has waited for") {
  recipe::EarlyStopping early;
  early.patience = {2, schema::Unit::evaluations};
  early.min_delta = 0;
  early.metric = "validation/loss";
  early.goal = recipe::EarlyStopping::Goal::minimize;
  const auto why = [&](const std::vector<std::pair<double, double>>& seen) {
    return plan::why_stop_early(plan::patience_of(early), evaluations(seen));
  };
  CHECK(why({}) == std::nullopt);
  CHECK(why({{2, 0}, {1, 0}, {3, 0}}) == std::nullopt);
  CHECK(why({{2, 0}, {1, 0}, {3, 0}, {1, 0}}) ==
        "validation/loss has not been better than 1 (step 20) for 2 evaluations");
  CHECK(why({{2, 0}, {1, 0}, {3, 0}, {1, 0}, {0.5, 0}}) ==
        "validation/loss has not been better than 1 (step 20) for 2 evaluations");
  CHECK(why({{kNaN, 0}, {kNaN, 0}}) == "validation/loss has been no number for 2 evaluations");
  early.metric = "validation/accuracy";
  early.goal = recipe::EarlyStopping::Goal::maximize;
  CHECK(why({{1, 0.5}, {0.5, 0.5}, {0.2, 0.4}}) ==
        "validation/accuracy has not been better than 0.5 (step 10) for 2 evaluations");
  CHECK(why({{1, 0.5}, {0.5, 0.6}, {0.2, 0.7}}) == std::nullopt);
  early.min_delta = 0.2;
  CHECK(why({{1, 0.5}, {0.5, 0.6}, {0.2, 0.7}}) ==
        "validation/accuracy has not been better than 0.5 (step 10) for 2 evaluations");
}
