#include "runner/run/overview.h"

#include <catch2/catch.hpp>

#include "runner/files/lock.h"
#include "runner/run/names.h"
#include "schema/document/error.h"
#include "tests/run/saved_run.h"

using namespace knead;

TEST_CASE("a folder with a lock or checkpoints is one of a run") {
  const tests::Folder folder;
  CHECK_FALSE(run::is_run(folder.path()));
  folder.write("locked/LOCK", "");
  CHECK(run::is_run(folder / "locked"));
  folder.write("saved/checkpoints/a", "");
  CHECK(run::is_run(folder / "saved"));
}

TEST_CASE("what monitors a run is in its recipe, with its goal") {
  const tests::Folder folder;
  CHECK(run::monitor_of(run::recipe_of(folder.path())).metric.empty());
  folder.write(run::kResolvedFile,
               "version: 1\nevaluate:\n  monitor: validation/good\n"
               "  metrics: [{type: script, name: good, goal: maximize}]\n");
  const plan::Objective monitor = run::monitor_of(run::recipe_of(folder.path()));
  CHECK(monitor.metric == "validation/good");
  CHECK(monitor.goal == plan::Goal::high);
}

TEST_CASE("where and why a run has ended is read back") {
  const tests::Folder folder;
  CHECK_FALSE(run::read_end_state(folder.path()));
  tests::save_steps(folder.path(), {940});
  folder.write(run::kEndFile, run::to_text({940, std::nullopt}));
  CHECK(tests::text_of(folder / run::kEndFile) ==
        "{\n  \"step\": 940,\n  \"stopped_early\": null\n}\n");
  run::Overview seen = run::look_at_run(folder.path());
  CHECK(seen.state == run::RunState::finished);
  REQUIRE(seen.end);
  CHECK(seen.end->step == 940);
  CHECK_FALSE(seen.end->why_early);
  folder.write(run::kEndFile, run::to_text({940, "no better for 3 evaluations"}));
  CHECK(run::look_at_run(folder.path()).end->why_early == "no better for 3 evaluations");
  folder.write(run::kEndFile, run::to_text({950, std::nullopt}));
  seen = run::look_at_run(folder.path());
  CHECK(seen.state == run::RunState::stopped);  // its end is not saved
  CHECK_FALSE(seen.end);
}

TEST_CASE("what expectations say of a run is read back") {
  const tests::Folder folder;
  tests::save_steps(folder.path(), {940});
  const std::vector<plan::Judgement> judged{{true, "expect a: 1, met"}, {false, "expect b: 2, no"}};
  folder.write(run::kEndFile, run::to_text({940, std::nullopt, judged}));
  CHECK(run::look_at_run(folder.path()).end->expectations == judged);
  CHECK(
      run::as_json(judged).dump() ==
      R"([{"met":true,"sentence":"expect a: 1, met"},{"met":false,"sentence":"expect b: 2, no"}])");
  folder.write(run::kEndFile, R"({"step": 940, "stopped_early": null, "expectations": 3})");
  CHECK_THROWS_WITH(run::read_end_state(folder.path()), Catch::Contains("cannot be read"));
}

TEST_CASE("an end that cannot be read is said") {
  const tests::Folder folder;
  for (const char* text : {"", "{}", "{\"step\": \"x\", \"stopped_early\": null}", "[1]"}) {
    folder.write(run::kEndFile, text);
    CHECK_THROWS_WITH(run::read_end_state(folder.path()), Catch::Contains("cannot be read"));
  }
}
