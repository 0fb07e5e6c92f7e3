#include "runner/engine/device/start.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>

namespace knead::engine {
namespace {

// Three steps an epoch of the regression with batch norm, dropout and micro-batches.
const std::vector<std::string> kOptimizers{
    "adamw, amsgrad: true",
    "adam",
    "sgd, momentum: 0.9, dampening: 0.1",
    "adagrad",
    "rmsprop, centered: true, momentum: 0.9",
    "nadam",
    "radam",
    "adamax",
    "adadelta",
    "lion",
    "lamb",
    "adafactor",
    "muon, groups: [{ndim_below: 2, adamw: {}}]",
    "adamw, groups: [{ndim_below: 2, weight_decay: 0}, {match: 'hidden.*', lr_scale: 3}]"};

const std::vector<std::string> kSchedules{"constant",
                                          "linear",
                                          "cosine",
                                          "{type: polynomial, power: 2}",
                                          "{type: exponential, gamma: 0.5}",
                                          "{type: step, every: 2 steps, gamma: 0.5}",
                                          "{type: multistep, milestones: [2 steps, 50%]}",
                                          "{type: inverse_sqrt, warmup: 3 steps}",
                                          "one_cycle",
                                          "{type: wsd, warmup: 2 steps}",
                                          "{type: plateau, patience: 1 evaluations, gamma: 0.5}",
                                          "{type: phases, phases: [{shape: linear, for: 3 steps, "
                                          "from: 0, to: 1}, {shape: sqrt, to: 0}]}"};

const std::vector<std::string> kAverages{"{type: ema, decay: 0.5}",
                                         "{type: ema, decay: 0.9, every: 2 steps, start: 3 steps}",
                                         "{type: swa, every: 2 steps, start: 50%}"};

/// Stops after each step, goes on, and ends with the same bits.
void expect_resumable(const std::vector<std::string>& overrides) {
  constexpr std::uint64_t kSteps = 7;
  std::vector<std::string> all{"train=7 steps", "evaluate.every=1 step",
                               "schedule={type: constant}"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  INFO(overrides.back());
  const recipe::Recipe recipe = short_recipe("diabetes", all);
  const knead::tests::Folder folder;
  const ShortRun whole = train(recipe, kSteps, nullptr, folder.path() / "whole");
  for (std::uint64_t stop = 1; stop < kSteps; ++stop) {
    INFO("stopped after step " << stop);
    const std::filesystem::path half = folder.path() / ("half-" + std::to_string(stop));
    const ShortRun stopped = train(recipe, stop, nullptr, half);
    const ShortRun rest = go_on(recipe, kSteps, stopped.state, half,
                                folder.path() / ("rest-" + std::to_string(stop)));
    CHECK(rest.state.step == whole.state.step);
    CHECK(rest.state.tensors == whole.state.tensors);
    CHECK(rest.losses == whole.losses);
    CHECK(rest.evaluations == whole.evaluations);
  }
}

}  // namespace

TEST_CASE("a run with any optimizer goes on from any step as if it had not stopped") {
  start_torch({1, true});
  for (const std::string& kind : kOptimizers)
    expect_resumable({"optimizer={lr: 0.01, type: " + kind + "}"});
}

TEST_CASE("so does a run with any schedule") {
  start_torch({1, true});
  for (const std::string& kind : kSchedules) expect_resumable({"schedule=" + kind});
}

TEST_CASE("so does one with averaged weights") {
  start_torch({1, true});
  for (const std::string& kind : kAverages) expect_resumable({"average=" + kind});
}

TEST_CASE("a run that is stopped early ends at the same step, however often it was interrupted") {
  start_torch({1, true});
  // At this rate nothing gets better for long.
  const std::string rate = "optimizer={type: sgd, lr: 1.5}";
  const std::string early = "early_stopping={patience: 1 evaluations, min_delta: 0.01}";
  const recipe::Recipe recipe =
      short_recipe("diabetes", {"train=7 steps", "evaluate.every=1 step", rate, early});
  const knead::tests::Folder folder;
  const ShortRun whole = train(recipe, 7, nullptr, folder.path());
  CHECK(whole.state.step > 1);
  CHECK(whole.state.step < 7);
  expect_resumable({rate, early});
}

TEST_CASE("averaged weights are what is evaluated, the plain ones what is trained") {
  start_torch({1, true});
  const auto run = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"train=6 steps", "evaluate.every=2 steps"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    const knead::tests::Folder folder;
    return train(short_recipe("diabetes", all), 6, nullptr, folder.path());
  };
  const ShortRun plain = run({});
  const ShortRun averaged = run({"average={type: ema, decay: 0.9}"});
  const ShortRun late = run({"average={type: ema, start: 6 steps}"});
  CHECK(averaged.losses == plain.losses);
  CHECK(averaged.evaluations != plain.evaluations);
  CHECK(late.evaluations == plain.evaluations);
}

}  // namespace knead::engine
