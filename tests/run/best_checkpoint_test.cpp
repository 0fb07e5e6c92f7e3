#include "runner/run/best_checkpoint.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/run/saved_run.h"

using namespace knead;

namespace {

using Steps = std::vector<std::uint64_t>;

/// The evaluations of the validation set at some steps.
plan::Evaluations evaluations(const std::vector<std::pair<std::uint64_t, double>>& losses) {
  plan::Evaluations all;
  for (const auto& [step, loss] : losses) all.push_back({step, "validation", {{"loss", loss}}, 0});
  return all;
}

/// The checkpoints of a run with steps 10, 20, 30 in the order in which they stand for it.
run::Preference preference(const std::filesystem::path& folder,
                           const std::vector<std::pair<std::uint64_t, double>>& losses) {
  files::PosixFiles disk;
  return run::by_preference(checkpoint::list_checkpoints(disk, folder), evaluations(losses),
                            "validation/loss");
}

Steps steps_of(const run::Preference& preference) {
  Steps steps;
  for (const checkpoint::Listed& each : preference.checkpoints) steps.push_back(each.step);
  return steps;
}

/// The first whole checkpoint; reads all of each.
run::Standing standing(const std::filesystem::path& folder, const run::Preference& preference) {
  files::PosixFiles disk;
  return run::take_first_whole(preference, folder, [&](const checkpoint::Listed& each) {
    checkpoint::load_checkpoint(disk, folder, each.step);
  });
}

}  // namespace

TEST_CASE("the best evaluation's checkpoint stands for a run, then the newest") {
  const tests::Folder folder;
  tests::save_steps(folder.path(), {10, 20, 30});
  const run::Preference best = preference(folder.path(), {{10, 0.5}, {20, 0.25}, {30, 0.75}});
  CHECK(best.begins_with_best);
  CHECK(steps_of(best) == Steps{20, 30, 10});
  CHECK(standing(folder.path(), best).checkpoint.step == 20);
  CHECK(standing(folder.path(), best).is_best);
  CHECK(standing(folder.path(), best).left_out.empty());
}

TEST_CASE("the newest stands for a run without evaluations, and where the best is gone") {
  const tests::Folder folder;
  tests::save_steps(folder.path(), {10, 20, 30});
  const auto losses = GENERATE(std::vector<std::pair<std::uint64_t, double>>{},
                               std::vector<std::pair<std::uint64_t, double>>{{15, 0.1}, {20, 0.2}});
  const run::Preference newest = preference(folder.path(), losses);
  CHECK_FALSE(newest.begins_with_best);
  CHECK(steps_of(newest) == Steps{30, 20, 10});
  CHECK_FALSE(standing(folder.path(), newest).is_best);
}

TEST_CASE("a damaged checkpoint is passed over and said, whichever file is damaged") {
  const tests::Folder folder;
  tests::save_steps(folder.path(), {10, 20, 30});
  tests::flip_last_bit(folder / "checkpoints/step-00000020/model.safetensors");
  tests::flip_last_bit(folder / "checkpoints/step-00000030/manifest.json");
  const run::Standing last = standing(folder.path(), preference(folder.path(), {{20, 0.25}}));
  CHECK(last.checkpoint.step == 10);
  CHECK_FALSE(last.is_best);
  REQUIRE(last.left_out.size() == 2);
  CHECK(last.left_out[0].starts_with(
      "step-00000020 is left out: model.safetensors is not as it was written"));
  CHECK(last.left_out[1].starts_with("step-00000030 is left out: manifest.json"));
}

TEST_CASE("a run without a whole checkpoint is refused") {
  const tests::Folder folder;
  tests::save_steps(folder.path(), {10});
  tests::flip_last_bit(folder / "checkpoints/step-00000010/state.json");
  CHECK_THROWS_WITH(
      standing(folder.path(), preference(folder.path(), {})),
      Catch::StartsWith("'" + folder.path().string() + "' holds no checkpoint that is whole"));
}
