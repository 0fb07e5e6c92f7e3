#include "runner/plan/end_rule.h"

#include <limits>

#include <catch2/catch.hpp>

#include "runner/plan/resolve.h"
#include "tests/schema/world.h"

using namespace knead;

namespace {

/// 1500 samples in batches of 32: 47 steps an epoch, the last of 28 samples.
const plan::Windows kEpochOf47Steps(1500, 32, false);

plan::EndRule end_rule(const std::vector<std::string>& overrides) {
  const tests::FakeWorld world{{{"/here/r.yaml", tests::kGoodRecipe}, {"/here/mlp.py", ""}}, {}};
  recipe::Recipe recipe = schema::load("r.yaml", overrides, world.world()).recipe;
  plan::resolve(recipe, {1, false, "/here"});
  return {recipe, kEpochOf47Steps};
}

plan::Evaluations validation_losses(const std::vector<std::pair<std::uint64_t, double>>& values) {
  plan::Evaluations all;
  for (const auto& [step, loss] : values) all.push_back({step, "validation", {{"loss", loss}}, 0});
  return all;
}

constexpr const char* kPatience = "early_stopping={patience: 1 evaluations}";

}  // namespace

TEST_CASE("a run is whole at its length, in any unit") {
  for (const char* until : {"train=20 epochs", "train=940 steps", "train=29990 samples"}) {
    CAPTURE(until);
    CHECK_FALSE(end_rule({until}).is_whole(939, 1e9));
    CHECK(end_rule({until}).is_whole(940, 0));
  }
  CHECK_FALSE(end_rule({"train=10 s"}).is_whole(1'000'000, 9.9));
  CHECK(end_rule({"train=10 s"}).is_whole(1, 10));
}

TEST_CASE("an evaluation that only an earlier, shorter length asked for ends no run") {
  const plan::Evaluations seen = validation_losses({{2, 0.5}, {4, 0.25}, {5, 0.75}});
  const plan::EndRule was = end_rule({"train=5 steps", "evaluate.every=2 steps", kPatience});
  CHECK(was.why_early(5, seen) ==
        "validation/loss has not been better than 0.25 (step 4) for 1 evaluation");
  const plan::EndRule longer = end_rule({"train=9 steps", "evaluate.every=2 steps", kPatience});
  CHECK_FALSE(longer.why_early(5, seen));
  CHECK(longer.planned(seen) == validation_losses({{2, 0.5}, {4, 0.25}}));
  CHECK(longer.planned(validation_losses({{0, 1}, {9, 1}})) == validation_losses({{0, 1}, {9, 1}}));
}

TEST_CASE("evaluations that are due by time all count") {
  const plan::EndRule timed = end_rule({"train=9 steps", "evaluate.every=10 s", kPatience});
  CHECK(timed.planned(validation_losses({{5, 1}})) == validation_losses({{5, 1}}));
  CHECK(timed.why_early(7, validation_losses({{5, 1}, {7, 2}})));
}

TEST_CASE("a run does not end before its first step, nor early without early_stopping") {
  const plan::Evaluations seen =
      validation_losses({{0, std::numeric_limits<double>::quiet_NaN()}, {1, 2}});
  CHECK_FALSE(end_rule({"evaluate.every=1 step", kPatience}).why_early(0, seen));
  CHECK_FALSE(end_rule({"evaluate.every=1 step"})
                  .why_early(1, validation_losses({{1, 1}, {2, 2}, {3, 3}})));
}
