#include "runner/board/runs/glance.h"

#include <fstream>

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "runner/board/runs/watched_folder.h"
#include "tests/board/written_run.h"
#include "tests/folder.h"

using namespace knead;
using board::Glance;
using board::WatchedFolder;
using run::RunState;
using tests::WrittenRun;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(const WatchedFolder& folder) {
  std::vector<std::string> names;
  for (const auto& run : folder.runs()) names.push_back(folder.label(*run));
  return names;
}

}  // namespace

TEST_CASE("a glance follows a run from its first report to its end") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  WrittenRun run(folder / "digits");
  Glance glance(files, folder / "digits");
  glance.look_closer();
  glance.look();
  CHECK(glance.name() == "digits");
  CHECK(glance.state() == RunState::running);
  CHECK(glance.step() == 0);
  CHECK(!glance.share());
  CHECK(!glance.look());

  run.report(100, 2.5);
  run.report(200, 1.5);
  CHECK(glance.look());
  CHECK(glance.step() == 200);
  CHECK(glance.reports().back().loss == 1.5);
  CHECK(glance.share() == Approx(0.2));
  CHECK(glance.seconds_left() == Approx(8));
  run.add("{\"step\":300,");
  glance.look();
  CHECK(glance.step() == 200);

  run.evaluated({200, "validation", {{"loss", 1}, {"accuracy", 0.5}}, 0.1});
  run.evaluated({200, "test", {{"loss", 1}}, 0.1});
  run.evaluated({400, "validation", {{"loss", 2}, {"accuracy", 0.25}}, 0.1});
  CHECK(glance.look());
  REQUIRE(glance.best());
  CHECK(*glance.best() == plan::Value{200, 0.5});
  REQUIRE(glance.last_evaluations().size() == 2);
  CHECK(glance.last_evaluations()[0].step == 400);
  CHECK(glance.last_evaluations()[1].set == "test");

  run.finish();
  CHECK(glance.look());
  CHECK(glance.state() == RunState::finished);
  CHECK(!glance.seconds_left());
}

TEST_CASE("a journal that a resume has cut back is read again") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  WrittenRun run(folder / "digits");
  for (std::uint64_t step = 100; step <= 500; step += 100) run.report(step, 1);
  Glance glance(files, folder / "digits");
  glance.look_closer();
  glance.look();
  CHECK(glance.step() == 500);
  run.cut_to(2);
  CHECK(glance.look());
  CHECK(glance.step() == 200);
  run.cut_to(0);
  run.evaluated({100, "validation", {{"accuracy", 0.5}}, 0.1});
  glance.look();
  CHECK(glance.best());
  fs::remove(folder / "digits/evaluations.jsonl");
  CHECK(glance.look());
  CHECK(!glance.best());
  CHECK(glance.last_evaluations().empty());
}

TEST_CASE("only the end of a long journal is read") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  WrittenRun run(folder / "long");
  for (std::uint64_t step = 1; step <= 5000; ++step) run.report(step, 1);
  Glance glance(files, folder / "long");
  glance.look();
  CHECK(glance.step() == 5000);
  CHECK(glance.reports().size() < 100);
  CHECK(glance.reports().size() > 20);
}

TEST_CASE("what is not of a run does no harm") {
  const tests::Folder outside;
  outside.write("metrics.jsonl", R"({"step":7})");
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  fs::create_directories(folder / "evil");
  ::mkfifo((folder / "evil/LOCK").c_str(), 0600);
  ::mkfifo((folder / "evil/evaluations.jsonl").c_str(), 0600);
  ::mkfifo((folder / "evil/resolved.yaml").c_str(), 0600);
  fs::create_symlink(outside / "metrics.jsonl", folder / "evil/metrics.jsonl");
  fs::create_symlink("/dev/zero", folder / "evil/end.json");
  Glance glance(files, folder / "evil");
  glance.look_closer();
  glance.look();
  CHECK(glance.reports().empty());
  CHECK(glance.best() == std::nullopt);

  fs::remove(folder / "evil/metrics.jsonl");
  std::ofstream text(folder / "evil/metrics.jsonl");
  text << std::string(100, '\0') << "\n[]\nnull\n{\"step\":\"x\"}\n" << std::string(1 << 20, 'x');
  text.close();
  glance.look();
  CHECK(glance.reports().empty());
}

TEST_CASE("a folder of runs has those that are running first, and finds new ones") {
  const tests::Folder folder;
  WrittenRun old(folder / "a");
  old.report(100, 1);
  old.finish();
  WrittenRun running(folder / "b");
  fs::create_directories(folder / "no run");
  fs::create_directory_symlink("/tmp", folder / "link");
  WatchedFolder watched(folder.path());
  CHECK(names_of(watched) == std::vector<std::string>{"b", "a"});
  CHECK(!watched.is_one_run());
  CHECK(watched.look().empty());

  running.report(10, 2);
  CHECK(!watched.look().empty());
  CHECK(watched.runs()[0]->step() == 10);

  WrittenRun later(folder / "no run");
  CHECK(!watched.look().empty());
  CHECK(names_of(watched) == std::vector<std::string>{"b", "no run", "a"});
  later.let_go();
  fs::remove_all(folder / "no run");
  CHECK(!watched.look().empty());
  CHECK(names_of(watched) == std::vector<std::string>{"b", "a"});
  running.report(20, 2);
  running.finish();
  CHECK(!watched.look().empty());
  CHECK(names_of(watched) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("the trials of a sweep are called by what they vary") {
  const tests::Folder folder;
  const WrittenRun trial(folder / "search/sweep/0123456789abcdef");
  folder.write("search/sweep/sweep.jsonl",
               R"({"id":"0123456789abcdef","values":{"optimizer.lr":0.001,"model.kind":"a"}})"
               "\nno line\n");
  WatchedFolder of_sweep(folder / "search");
  CHECK(names_of(of_sweep) == std::vector<std::string>{"01234567 kind=a lr=0.001"});
  const WatchedFolder above(folder.path());
  CHECK(above.runs().empty());
  CHECK(above.sweeps() == std::vector<std::string>{"search"});
}

TEST_CASE("names of folders reach the terminal without escape sequences") {
  const tests::Folder folder;
  const WrittenRun run(folder / "a\033[31m\u202eb\007\xff");
  const WatchedFolder watched(folder.path());
  REQUIRE(names_of(watched).size() == 1);
  const std::string name = names_of(watched)[0];
  CHECK(name.find('\033') == std::string::npos);
  CHECK(name.find('\007') == std::string::npos);
  CHECK(name.find("\u202e") == std::string::npos);
}

TEST_CASE("one run, and folders that are none") {
  const tests::Folder folder;
  const WrittenRun run(folder / "digits");
  WatchedFolder watched(folder / "digits");
  CHECK(watched.is_one_run());
  CHECK(names_of(watched) == std::vector<std::string>{"digits"});
  CHECK_THROWS_WITH(WatchedFolder(folder / "nowhere"),
                    "there is no folder '" + (folder / "nowhere").string() + "'");
}
