#include "runner/plan/expectations.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace knead;
using plan::Evaluations;

namespace {

/// A run with the loss and accuracy of the validation set at steps 10, 20, …
Evaluations run_with(const std::vector<std::pair<double, double>>& loss_and_accuracy) {
  Evaluations all;
  for (const auto& [loss, accuracy] : loss_and_accuracy) {
    const std::uint64_t step = 10 * (all.size() + 1);
    all.push_back({step, "validation", {{"loss", loss}, {"accuracy", accuracy}}, 0.1});
  }
  return all;
}

recipe::Expectation expectation(const std::string& metric) {
  return {metric, {}, {}, {}, {}, {}, {}, recipe::Expectation::Value::last};
}

std::vector<plan::Judgement> judged(const std::vector<recipe::Expectation>& expected,
                                    const std::vector<Evaluations>& runs) {
  std::vector<plan::Measurements> measured;
  for (const Evaluations& run : runs) measured.push_back(plan::measure(expected, {}, run));
  return plan::judge(expected, measured);
}

/// The sentence about one expectation and the mean of several runs; it ends as `met` says.
std::string mean_sentence(const recipe::Expectation& expected, const std::vector<Evaluations>& runs,
                          bool met) {
  const auto judgements = judged({expected}, runs);
  REQUIRE(judgements.size() == 1);
  CHECK(judgements[0].met == met);
  return judgements[0].sentence;
}

/// The sentence about one expectation and a single run.
std::string sentence(const recipe::Expectation& expected, const Evaluations& run, bool met) {
  return mean_sentence(expected, {run}, met);
}

}  // namespace

TEST_CASE("expectations that are met") {
  const Evaluations seen = run_with({{1.2345678, 0.5}, {0.3, 0.912}, {0.35, 0.9}});
  auto expected = expectation("validation/accuracy");
  expected.at_least = 0.88;
  CHECK(sentence(expected, seen, true) == "expect validation/accuracy at least 0.88: 0.9, met");
  expected.value = recipe::Expectation::Value::best;
  CHECK(sentence(expected, seen, true) ==
        "expect best validation/accuracy at least 0.88: 0.912 at step 20, met");
  expected = expectation("validation/loss");
  expected.at_most = 0.35;
  CHECK(sentence(expected, seen, true) == "expect validation/loss at most 0.35: 0.35, met");
  expected.at_least = 0.1;
  CHECK(sentence(expected, seen, true) ==
        "expect validation/loss at least 0.1 and at most 0.35: 0.35, met");
  expected = expectation("validation/loss");
  expected.equals = 0.35;
  CHECK(sentence(expected, seen, true) == "expect validation/loss equal to 0.35: 0.35, met");
  expected.equals = 0.4;
  expected.within = 0.1;
  CHECK(sentence(expected, seen, true) ==
        "expect validation/loss equal to 0.4 within 0.1: 0.35, met");
}

TEST_CASE("expectations that are not met say by how much") {
  const Evaluations seen = run_with({{1.2345678, 0.871}});
  auto expected = expectation("validation/accuracy");
  expected.at_least = 0.88;
  CHECK(sentence(expected, seen, false) ==
        "expect validation/accuracy at least 0.88: 0.871, 0.009 too low");
  expected = expectation("validation/loss");
  expected.at_most = 1;
  CHECK(sentence(expected, seen, false) ==
        "expect validation/loss at most 1: 1.23457, 0.234568 too high");
  expected = expectation("validation/loss");
  expected.equals = 1.88;
  expected.within = 0.05;
  CHECK(sentence(expected, seen, false) ==
        "expect validation/loss equal to 1.88 within 0.05: 1.23457, 0.595432 too low");
  expected.value = recipe::Expectation::Value::best;
  expected.equals = 1;
  CHECK(
      sentence(expected, seen, false) ==
      "expect best validation/loss equal to 1 within 0.05: 1.23457 at step 10, 0.184568 too high");
}

TEST_CASE("what is no number meets nothing") {
  auto expected = expectation("validation/loss");
  expected.at_most = 1;
  CHECK(sentence(expected, run_with({{NAN, 0}}), false) ==
        "expect validation/loss at most 1: NaN, not met");
  CHECK(sentence(expected, run_with({{-INFINITY, 0}}), false) ==
        "expect validation/loss at most 1: -inf, not met");
  CHECK(sentence(expected, {}, false) ==
        "expect validation/loss at most 1: never computed, not met");
  expected.value = recipe::Expectation::Value::best;
  CHECK(sentence(expected, run_with({{NAN, 0}}), false) ==
        "expect best validation/loss at most 1: never a finite number, not met");
  CHECK(sentence(expected, {}, false) ==
        "expect best validation/loss at most 1: never computed, not met");
}

TEST_CASE("each expectation is judged, in their order") {
  auto first = expectation("validation/accuracy");
  first.at_least = 0.5;
  auto second = expectation("test/loss");
  second.at_most = 1;
  const auto judgements = judged({first, second}, {run_with({{1, 0.6}})});
  REQUIRE(judgements.size() == 2);
  CHECK(judgements[0].met);
  CHECK_FALSE(judgements[1].met);
}

TEST_CASE("several seeds are judged by their mean, which may be met where a run is not") {
  const std::vector<Evaluations> runs{run_with({{0.2, 0.9}, {0.3, 0.91}}),
                                      run_with({{0.6, 0.5}, {0.4, 0.85}}),
                                      run_with({{0.4, 0.87}, {0.5, 0.88}})};
  auto expected = expectation("validation/accuracy");
  expected.at_least = 0.88;
  CHECK(mean_sentence(expected, runs, true) ==
        "expect validation/accuracy at least 0.88: mean of 3 seeds 0.88, spread 0.03, met");
  CHECK(mean_sentence(expected, {runs[1], runs[2]}, false) ==
        "expect validation/accuracy at least 0.88: mean of 2 seeds 0.865, spread 0.0212132, 0.015 "
        "too low");
  expected = expectation("validation/loss");
  expected.at_most = 0.3;
  expected.value = recipe::Expectation::Value::best;
  // The bests are of steps 10, 20 and 10.
  CHECK(mean_sentence(expected, runs, false) ==
        "expect best validation/loss at most 0.3: mean of 3 seeds 0.333333, spread 0.11547, "
        "0.0333333 too high");
}

TEST_CASE("a mean lacks what one of its runs lacks") {
  const Evaluations good = run_with({{0.5, 0.9}});
  auto expected = expectation("validation/loss");
  expected.at_most = 1;
  CHECK(mean_sentence(expected, {good, {}, good}, false) ==
        "expect validation/loss at most 1: never computed in 1 of 3 seeds, not met");
  CHECK(mean_sentence(expected, {run_with({{NAN, 0}}), run_with({{-INFINITY, 0}}), good}, false) ==
        "expect validation/loss at most 1: no finite number in 2 of 3 seeds, not met");
  expected.value = recipe::Expectation::Value::best;
  CHECK(mean_sentence(expected, {run_with({{NAN, 0}}), good}, false) ==
        "expect best validation/loss at most 1: no finite number in 1 of 2 seeds, not met");
}
