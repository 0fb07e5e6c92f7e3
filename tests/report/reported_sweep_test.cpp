#include "runner/report/reported_sweep.h"

#include <catch2/catch.hpp>

#include "tests/folder.h"

using namespace knead;

namespace {

std::string line(const std::string& id, int point, int repeat, const std::string& rest) {
  return R"({"id":")" + id + R"(","point":)" + std::to_string(point) + R"(,"repeat":)" +
         std::to_string(repeat) + R"(,"metric":"validation/good",)" + rest + "}\n";
}

const std::string kDone =
    R"("values":{"optimizer.lr":0.001,"act":"relu","h":[64,32]},"state":"finished",)"
    R"("objective":[[1,0.5],[2,"NaN"],[3,0.75]],"best":0.75,"best_step":3,"mean":0.7,"spread":0.1,)"
    R"("code":0,"expect":[{"met":false,"sentence":"expect it"}],"seconds":2.5)";
const std::string kFailed =
    R"("values":{"optimizer.lr":10.0,"act":"relu","h":[64,32]},"state":"failed","objective":[],)"
    R"("best":null,"best_step":null,"mean":null,"spread":null,"code":5,"expect":[],"seconds":0.5)";

}  // namespace

TEST_CASE("a sweep is read with its trials") {
  const tests::Folder folder;
  folder.write("s/sweep/sweep.jsonl", line("aa", 0, 0, kDone) + line("ab", 0, 1, kDone) +
                                          line("bb", 1, 0, kFailed) + "{\"id\":1}\nx\n");
  folder.write("s/sweep/aa/resolved.yaml",
               "evaluate: {metrics: [{type: script, name: good, goal: maximize}]}\n");
  folder.write("s/sweep/aa/log.txt",
               "2026-11-25 13:18:37  first\ntorn\n2026-11-25 14:00:00  last\nmore\n");
  folder.write("s/sweep/bb/trial.json", R"({"last_lines":["knead: NaN at step 3"]})");
  folder.write(
      "s/sweep/best.yaml",
      "# The best of 3 trials.\n#   optimizer.lr: 0.001 (the recipe has 0.01)\n"
      "#   act: relu (the recipe does not have it)\nname: s-best\n#   no: 1 (the recipe has 2)\n");
  REQUIRE(report::sweep_folder(folder / "s") == folder / "s/sweep");
  REQUIRE(report::sweep_folder(folder / "s/sweep") == folder / "s/sweep");
  CHECK_FALSE(report::sweep_folder(folder.path()));
  const report::ReportedSweep sweep = report::read_sweep(folder / "s/sweep");
  CHECK(sweep.outcome.name == "s");
  CHECK(sweep.outcome.seeds == 2);
  CHECK(sweep.outcome.objective.goal == plan::Goal::high);
  CHECK(sweep.outcome.keys.size() == 3);
  REQUIRE(sweep.outcome.trials.size() == 3);
  const sweep::Trial& first = sweep.outcome.trials[0];
  CHECK(first.name.values == std::vector<std::pair<std::string, std::string>>{
                                 {"optimizer.lr", "0.001"}, {"act", "relu"}, {"h", "[64,32]"}});
  CHECK(first.objective.size() == 3);
  CHECK(first.best == plan::Value{3, 0.75});
  CHECK(sweep.outcome.trials[2].last_lines == std::vector<std::string>{"knead: NaN at step 3"});
  CHECK(sweep.times.at("aa").began == "2026-11-25 13:18:37");
  CHECK(sweep.times.at("aa").ended == "2026-11-25 14:00:00");
  CHECK(sweep.times.at("ab").began.empty());
  CHECK(sweep.expectations.at(0).front().sentence == "expect it");
  REQUIRE(sweep.best_values.size() == 2);
  CHECK((sweep.best_values[0].best == "0.001" && sweep.best_values[0].base == "0.01"));
  CHECK((sweep.best_values[1].best == "relu" && sweep.best_values[1].base.empty()));
  CHECK(sweep.notes == std::vector<std::string>{"2 lines of sweep.jsonl are left out: not trials"});
}

TEST_CASE("the id of a trial does not lead out of the sweep") {
  const tests::Folder folder;
  folder.write("log.txt", "2026-11-25 13:18:37  outside\n");
  folder.write("s/sweep/sweep.jsonl", line("../..", 0, 0, kDone));
  const report::ReportedSweep sweep = report::read_sweep(folder / "s/sweep");
  REQUIRE(sweep.outcome.trials.size() == 1);
  CHECK(sweep.times.at("../..").began.empty());
}

TEST_CASE("a link in the place of a sweep is not followed") {
  const tests::Folder folder;
  folder.write("other/sweep.jsonl", line("aa", 0, 0, kDone));
  folder.write("s/LOCK", "");
  std::filesystem::create_directory_symlink(folder / "other", folder / "s/sweep");
  CHECK_FALSE(report::sweep_folder(folder / "s"));
  std::filesystem::create_directory(folder / "t");
  std::filesystem::create_symlink(folder / "other/sweep.jsonl", folder / "t/sweep.jsonl");
  CHECK_FALSE(report::sweep_folder(folder / "t"));
  CHECK(report::sweep_folder(folder / "s/sweep"));  // which the user named
}
