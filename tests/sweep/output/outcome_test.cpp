#include "runner/sweep/output/outcome.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/sweep/output/outcomes.h"

using namespace knead::sweep;
using knead::plan::Goal;

namespace {

/// A sweep of one key with several seeds; each inner list has the best objectives of a point.
Outcome seeded(const std::vector<std::vector<double>>& points, int seeds) {
  Outcome out{.name = "a",
              .objective = "validation/loss",
              .keys = {{.key = "optimizer.lr", .dimension = Range{.low = 0, .high = 1}}},
              .seeds = seeds};
  for (std::size_t point = 0; point < points.size(); ++point) {
    for (std::size_t repeat = 0; repeat < points[point].size(); ++repeat)
      out.trials.push_back(trial_of(point, static_cast<int>(repeat), "0.5", "relu",
                                    TrialState::finished, {{1, points[point][repeat]}}));
  }
  return out;
}

std::optional<std::size_t> best_of(const Outcome& outcome) {
  return best_point(points_of(outcome), outcome);
}

}  // namespace

TEST_CASE("points have the mean and the sample standard deviation of their seeds") {
  const Outcome outcome = seeded({{1, 2, 6}, {4}}, 3);
  const auto points = points_of(outcome);
  REQUIRE(points.size() == 2);
  CHECK(points[0].mean == 3.0);
  CHECK(*points[0].spread == Approx(std::sqrt(7.0)));
  CHECK(points[1].mean == 4.0);
  CHECK(points[1].spread == std::nullopt);
  CHECK(points[0].is_comparable(outcome));
  CHECK_FALSE(points[1].is_comparable(outcome));
}

TEST_CASE("points are in order, whatever the order of their trials") {
  Outcome outcome = seeded({{1, 2}, {3, 4}, {5, 6}}, 2);
  std::swap(outcome.trials[0], outcome.trials[5]);
  std::swap(outcome.trials[1], outcome.trials[2]);
  std::vector<double> seen;
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials) seen.push_back(trial->best->value);
  }
  CHECK(seen == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("the best point has all its seeds and the best mean; of equal ones it is the earliest") {
  CHECK(best_of(seeded({}, 1)) == std::nullopt);
  CHECK(best_of(seeded({{3, 3}, {2, 2}, {1, 3}, {0.5}}, 2)) == 1);
  CHECK(best_of(seeded({{NAN, 1}, {5, 5}}, 2)) == 1);
  Outcome outcome = seeded({{1}, {2}, {3}}, 1);
  outcome.trials[0].state = TrialState::pruned;
  CHECK(best_of(outcome) == 1);
  outcome.objective = {"validation/loss", Goal::high};
  CHECK(best_of(outcome) == 2);
}

TEST_CASE("the best trial of a point is its best seed") {
  Outcome outcome = seeded({{2, 1, 1}}, 3);
  CHECK(best_trial(points_of(outcome)[0], outcome).name.repeat == 1);
  outcome.objective = {"validation/loss", Goal::high};
  CHECK(best_trial(points_of(outcome)[0], outcome).name.repeat == 0);
}

TEST_CASE("the state of a point is that of the trial furthest from its end") {
  using enum TrialState;
  const auto state_with = [](TrialState first, TrialState second) {
    Outcome outcome = seeded({{1, 2}}, 2);
    outcome.trials[0].state = first;
    outcome.trials[1].state = second;
    return points_of(outcome)[0].state;
  };
  CHECK(state_with(finished, finished) == finished);
  CHECK(state_with(finished, pruned) == pruned);
  CHECK(state_with(waiting, pruned) == waiting);
  CHECK(state_with(stopped, waiting) == stopped);
  CHECK(state_with(running, stopped) == running);
  CHECK(state_with(running, failed) == failed);
}

TEST_CASE("points that cannot be compared come behind the others") {
  Outcome outcome = seeded({{0.1}, {3}, {0.2}, {2}}, 1);
  outcome.trials[0].state = TrialState::pruned;
  outcome.trials[2].state = TrialState::failed;
  CHECK(ranked(points_of(outcome), outcome) == std::vector<std::size_t>{3, 1, 0, 2});
}

TEST_CASE("a point is judged when all its seeds have finished, and gives its trials their code") {
  Outcome outcome = seeded({{1, 2, 6}}, 3);
  outcome.expect = {expectation_of("validation/loss")};
  outcome.expect[0].at_most = 3;
  for (Trial& trial : outcome.trials) {
    trial.measured = {{true, trial.best}};
    trial.code = trial.best->value > 3 ? 4 : 0;
  }
  CHECK(points_of(outcome)[0].expectations ==
        std::vector<knead::plan::Judgement>{
            {true, "expect validation/loss at most 3: mean of 3 seeds 3, spread 2.64575, met"}});
  CHECK(code_of(outcome.trials[2], points_of(outcome)[0]) == 0);
  CHECK(exit_of(outcome) == knead::Exit::done);
  outcome.expect[0].at_most = 2.5;
  CHECK(unmet_sentences(points_of(outcome)[0]) ==
        std::vector<std::string>{"expect validation/loss at most 2.5: mean of 3 seeds 3, spread "
                                 "2.64575, 0.5 too high"});
  CHECK(code_of(outcome.trials[0], points_of(outcome)[0]) == 4);
  CHECK(exit_of(outcome) == knead::Exit::expectation_failed);
  outcome.trials[1].state = TrialState::stopped;
  outcome.trials[1].code = 75;
  CHECK(points_of(outcome)[0].expectations.empty());
  CHECK(code_of(outcome.trials[1], points_of(outcome)[0]) == 75);
  CHECK(exit_of(outcome) == knead::Exit::stopped);
  outcome.trials[1].state = TrialState::failed;
  CHECK(exit_of(outcome) == knead::Exit::training_failed);
}
