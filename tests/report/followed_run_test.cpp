#include "runner/report/followed_run.h"

#include <sys/stat.h>

#include <fstream>

#include <catch2/catch.hpp>

#include "runner/run/names.h"
#include "runner/track/log.h"
#include "runner/track/tracker.h"
#include "tests/run/saved_run.h"

using namespace knead;

namespace {

const char* const kLog =
    "2026-11-25 13:18:37  step  10/940    1%  epoch  0.2/20  loss 2.269\n"
    "2026-11-25 13:18:37  profile of steps 10 to 15\n"
    "2026-11-25 13:18:37    ms a step                calls        ms     share\n"
    "2026-11-25 13:18:37    data                         1     0.019     5.9 %\n"
    "2026-11-25 13:18:37    forward                      1     0.104    32.8 %\n"
    "2026-11-25 13:18:37      gather                     1     0.100    30.0 %\n"
    "2026-11-25 13:18:37    all                                0.318   100.0 %\n"
    "2026-11-25 13:18:37    reader 1                           0.006     1.7 %\n"
    "2026-11-25 13:18:38  saved step 2\n"
    "2026-11-25 13:18:38  expect validation/loss at most 1: 0.5, met\n"
    "2026-11-25 14:00:00  going on from step 2\n"
    "2026-11-25 14:00:01  expect validation/loss at most 1: 2, not met\n"
    "2026-11-25 14:00:01  expect train/loss at most 1: 0.1, met\n";

/// Writes the folder of a run that has ended.
void write_run(const tests::Folder& folder) {
  tests::save_steps(folder / "run", {1, 2});
  folder.write("run/resolved.yaml",
               "name: run  # a.yaml:1:1\nevaluate: {monitor: validation/loss}\n");
  folder.write("run/metrics.jsonl",
               "{\"step\":1,\"time\":1,\"loss\":3}\n{\"step\":2,\"loss\":1}\n");
  folder.write("run/evaluations.jsonl", track::to_text({{1, "validation", {{"loss", 4}}, 0},
                                                        {2, "validation", {{"loss", 2}}, 0}}));
  folder.write("run/end.json", run::to_text({2, std::nullopt}));
  folder.write("run/log.txt", kLog);
}

}  // namespace

TEST_CASE("all of a run is read") {
  const tests::Folder folder;
  write_run(folder);
  const report::FollowedRun run = report::read_run(folder / "run");
  const report::RunFacts& facts = run.facts();
  CHECK(facts.notes.empty());
  CHECK(facts.name == "run");
  CHECK(facts.state == run::RunState::finished);
  CHECK(facts.step == 2);
  CHECK(facts.end->step == 2);
  CHECK(facts.monitor.metric == "validation/loss");
  CHECK(facts.best == plan::Value{2, 2});
  CHECK(facts.checkpoints.size() == 2);
  REQUIRE(facts.tensors.size() == 1);
  CHECK(facts.tensors[0].name == "weight");
  CHECK(run.evaluations().size() == 2);
  CHECK(run.curves().reports() == 2);
  CHECK(run.log().first_time() == "2026-11-25 13:18:37");
  CHECK(run.log().last_time() == "2026-11-25 14:00:01");
}

TEST_CASE("the log tells what happened and where a step's time goes") {
  const tests::Folder folder;
  write_run(folder);
  const report::FollowedRun run = report::read_run(folder / "run");
  std::string events;
  for (const report::LogLine& line : run.log().events()) events += line.text + "|";
  CHECK(events ==
        "profile of steps 10 to 15|saved step 2|expect validation/loss at most 1: 0.5, met|"
        "going on from step 2|expect validation/loss at most 1: 2, not met|"
        "expect train/loss at most 1: 0.1, met|");
  CHECK(run.log().expectations() ==
        std::vector<std::string>{"expect validation/loss at most 1: 2, not met",
                                 "expect train/loss at most 1: 0.1, met"});
  CHECK(run.log().resumes() == std::vector<std::pair<double, std::string>>{
                                   {2, "resumed from step 2 at 2026-11-25 14:00:00"}});
  const auto parts = run.log().step_parts();
  REQUIRE(parts.size() == 3);
  CHECK(parts[2].name == "the rest");
  CHECK(parts[2].share == Approx(0.613));
  CHECK(parts[2].milliseconds == Approx(0.195).margin(1e-3));
  CHECK(parts[1].name == "forward");
  CHECK(parts[1].milliseconds == Approx(0.104));
  CHECK(parts[1].share == Approx(0.328));
  CHECK(run.log().profile().size() == 6);
}

TEST_CASE("a run that grows is followed") {
  const tests::Folder folder;
  write_run(folder);
  report::FollowedRun run = report::read_run(folder / "run");
  CHECK_FALSE(run.read_on());
  std::ofstream(folder / "run/metrics.jsonl", std::ios::app) << "{\"step\":3,\"loss\":1}\n";
  CHECK(run.read_on());
  CHECK(run.facts().step == 3);
  CHECK(run.curves().find("loss")->points() == 3);
}

TEST_CASE("of many events the first and the last ones are held") {
  const tests::Folder folder;
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "saved step " + std::to_string(i) + "\n";
  folder.write("log.txt", log);
  const report::FollowedRun run = report::read_run(folder.path());
  const auto events = run.log().events();
  REQUIRE(events.size() == report::RunLog::kMostEvents);
  CHECK(events[199].text == "saved step 199");
  CHECK(events[200].text == "saved step 800");
  CHECK(run.log().omitted() == 600);
}

TEST_CASE("links, pipes and folders in the place of files are noted and not read") {
  const tests::Folder folder;
  folder.write("secret/manifest.json", "{}");
  folder.write("secret/text", "name: secret\n");
  const std::filesystem::path run = folder / "run";
  std::filesystem::create_directories(run);
  for (const char* name : {"metrics.jsonl", "resolved.yaml"})
    std::filesystem::create_symlink(folder / "secret/text", run / name);
  std::filesystem::create_directory_symlink(folder / "secret", run / "checkpoints");
  for (const char* name : {"evaluations.jsonl", "LOCK"})
    REQUIRE(::mkfifo((run / name).c_str(), 0600) == 0);
  std::filesystem::create_directory(run / "log.txt");
  std::filesystem::create_directory(run / "end.json");
  const report::FollowedRun read = report::read_run(run);
  CHECK(read.facts().notes.size() == 7);
  CHECK(read.facts().recipe.text.empty());
  CHECK(read.facts().checkpoints.empty());
  CHECK(read.facts().notes.front() ==
        "cannot open " + (run / "metrics.jsonl").string() +
            ": Too many levels of symbolic links (a report follows no links)");
}

TEST_CASE("a folder that is not there is an error") {
  const tests::Folder folder;
  CHECK_THROWS_WITH(report::read_run(folder / "none"),
                    "cannot read " + (folder / "none").string() + ": No such file or directory");
}
