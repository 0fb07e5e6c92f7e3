// `knead runs` and `knead verify` on folders that the rooms below made.

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/checkpoint/store.h"
#include "runner/files/lock.h"
#include "runner/files/posix_files.h"
#include "runner/run/end_state.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "tests/folder.h"

namespace {

namespace fs = std::filesystem;
using namespace knead;

/// What a program said to both streams, and how it ended.
struct Said {
  std::string text;
  int code = 0;
};

/// Calls knead in a folder.
Said said(const std::string& arguments, const fs::path& folder) {
  const std::string command =
      "cd '" + folder.string() + "' && '" KNEAD_BUILD "/knead-checked' " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  Said out;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.text.append(buffer, n);
  out.code = WEXITSTATUS(pclose(pipe));
  return out;
}

/// A run that is made step by step, as training would.
class Run {
 public:
  explicit Run(const fs::path& folder) : folder_(folder) {
    fs::create_directories(folder);
    lock_ = std::make_unique<files::Lock>(folder);
    store_ = std::make_unique<checkpoint::Store>(disk_, folder);
    store_->recover();
    tests::write_text(folder / run::kResolvedFile,
                      "version: 1\nname: digits\nevaluate:\n  monitor: validation/accuracy\n");
    console_ = std::make_unique<track::Console>(
        track::Terminal{false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
        track::Length{});
    tracker_ = std::make_unique<track::Tracker>(folder, "validation/accuracy", track::Positions{},
                                                *console_);
  }

  void report(std::uint64_t step) {
    track::Report report;
    report.step = step;
    report.epoch = static_cast<double>(step) / 47;
    report.samples = 32 * step;
    report.time = static_cast<double>(step) / 100;
    tracker_->report(report);
  }

  void evaluate(std::uint64_t step, double loss, double accuracy,
                const std::string& set = "validation") {
    tracker_->evaluated({step, set, {{"loss", loss}, {"accuracy", accuracy}}, 0.1});
  }

  void save(std::uint64_t step) {
    checkpoint::Snapshot snapshot;
    snapshot.step = step;
    files::TensorBytes weight{"weight", "F32", {50}, files::OwnBytes(200, std::byte{})};
    weight.bytes[0] = static_cast<std::byte>(step);
    snapshot.parts.push_back({"model.safetensors", {weight}, {}});
    snapshot.tensors = checkpoint::tensor_digest(snapshot.parts);
    store_->save(snapshot);
  }

  /// Notes that the run has ended after a step.
  void note_end(std::uint64_t step) {
    tests::write_text(folder_ / run::kEndFile, run::to_text({step, std::nullopt}));
  }

  /// As where the process is killed: the lock is let go, and its words stay.
  void die() {
    const std::string words = tests::text_of(folder_ / files::kLockFile);
    lock_.reset();
    tests::write_text(folder_ / files::kLockFile, words);
  }

  void end() { lock_.reset(); }

 private:
  fs::path folder_;
  files::PosixFiles disk_;
  std::unique_ptr<files::Lock> lock_;
  std::unique_ptr<checkpoint::Store> store_;
  std::unique_ptr<track::Console> console_;
  std::unique_ptr<track::Tracker> tracker_;
};

/// The state that `knead runs` shows of the only run.
std::string state(const tests::Folder& folder) {
  const std::string text = said("runs", folder.path()).text;
  const std::size_t row = text.find('\n') + 1;
  const std::size_t begin = text.find_first_not_of(' ', text.find(' ', row));
  return text.substr(begin, text.find(' ', begin) - begin);
}

void flip_a_bit(const fs::path& file) {
  std::string text = tests::text_of(file);
  text.back() = static_cast<char>(text.back() ^ 1);
  tests::write_text(file, text);
}

}  // namespace

TEST_CASE("a table of runs, and the same as JSON") {
  const tests::Folder folder;
  Run running(folder / "runs/running");
  running.report(10);
  Run finished(folder / "runs/finished");
  finished.report(930);
  finished.evaluate(470, 0.25, 0.9375);
  finished.save(470);
  finished.report(940);
  finished.evaluate(940, std::numeric_limits<double>::quiet_NaN(), 0.875);
  finished.save(940);
  finished.note_end(940);
  finished.end();
  fs::create_directories(folder / "runs/no run");
  tests::write_text(folder / "runs/a file", "");
  CHECK(said("runs", folder.path()).text ==
        "run       state     step  best                               "
        "last evaluation                              checkpoints\n"
        "finished  finished   940  validation/accuracy 0.9375 at 470  "
        "validation loss NaN, accuracy 0.8750 at 940  470 (276 B), 940 (276 B)\n"
        "running   running     10  -                                  "
        "-                                            -\n");
  auto json = nlohmann::json::parse(said("runs --format json", folder.path()).text);
  REQUIRE(json.size() == 2);
  CHECK(json[1]["holder"].get<std::string>().starts_with("process "));
  json[1].erase("holder");
  CHECK(json == nlohmann::json::parse(R"([
    {"name": "finished", "folder": "runs/finished", "state": "finished", "step": 940,
     "best": {"metric": "validation/accuracy", "value": 0.9375, "step": 470},
     "last_evaluation": {"step": 940, "set": "validation",
                         "values": {"loss": "NaN", "accuracy": 0.875}},
     "checkpoints": [
       {"step": 470, "folder": "runs/finished/checkpoints/step-00000470", "bytes": 276},
       {"step": 940, "folder": "runs/finished/checkpoints/step-00000940", "bytes": 276}]},
    {"name": "running", "folder": "runs/running", "state": "running", "step": 10,
     "checkpoints": []}
  ])"));
}

TEST_CASE("a run that cannot be read has a row that says so, and hides no other") {
  const tests::Folder folder;
  Run whole(folder / "runs/whole");
  whole.end();
  Run damaged(folder / "runs/damaged");
  damaged.evaluate(470, 0.25, 0.9375);
  damaged.end();
  tests::write_text(folder / "runs/damaged/evaluations.jsonl", "{\"step\":\n");
  const std::string complaint =
      "knead: 1 of 2 runs cannot be read: runs/damaged\n     = the reason stands beside each\n";
  const Said table = said("runs", folder.path());
  CHECK(table.text ==
        "run      state       step  best  last evaluation  checkpoints\n"
        "damaged  unreadable     -  -     -                runs/damaged/evaluations.jsonl:1: this "
        "line cannot be read\n"
        "whole    empty          0  -     -                -\n" +
            complaint);
  CHECK(table.code == 3);
  const std::string text = said("runs --format json", folder.path()).text;
  REQUIRE(text.ends_with(complaint));
  const auto json = nlohmann::json::parse(text.substr(0, text.size() - complaint.size()));
  CHECK(json[0]["state"] == "unreadable");
  CHECK(json[0]["reason"] == "runs/damaged/evaluations.jsonl:1: this line cannot be read");
}

TEST_CASE("a run is running as long as its lock is held") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  CHECK(state(folder) == "running");
  run.save(10);
  CHECK(state(folder) == "running");
  run.end();
  CHECK(state(folder) == "stopped");
}

TEST_CASE("a run without a checkpoint is empty") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  run.report(10);
  run.end();
  CHECK(state(folder) == "empty");
}

TEST_CASE("a run that died has failed") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  run.save(10);
  run.die();
  CHECK(state(folder) == "failed");
}

TEST_CASE("so has one that an error ended") {
  const tests::Folder folder;
  try {
    Run run(folder / "runs/a");
    run.save(10);
    throw Error("the loss is not finite");
  } catch (const Error&) {
  }
  CHECK(state(folder) == "failed");
}

TEST_CASE("a run is finished when it has noted its end, and that is saved") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  run.report(940);
  run.save(939);
  run.end();
  CHECK(state(folder) == "stopped");
  run.note_end(940);
  CHECK(state(folder) == "stopped");
  run.save(940);
  CHECK(state(folder) == "finished");
  run.die();
  CHECK(state(folder) == "finished");
}

TEST_CASE("a damaged checkpoint is none to go on from") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  run.report(940);
  run.save(940);
  run.note_end(940);
  run.end();
  CHECK(state(folder) == "finished");
  flip_a_bit(folder / "runs/a/checkpoints/step-00000940/manifest.json");
  CHECK(state(folder) == "empty");
}

TEST_CASE("verify reads every byte of every checkpoint") {
  const tests::Folder folder;
  Run run(folder / "runs/a");
  run.save(470);
  run.save(940);
  const Said good = said("verify runs/a", folder.path());
  CHECK(good.text ==
        "step-00000470  ok       3 files, 276 B\n"
        "step-00000940  ok       3 files, 276 B\n");
  CHECK(good.code == 0);
  flip_a_bit(folder / "runs/a/checkpoints/step-00000940/model.safetensors");
  const Said bad = said("verify runs/a", folder.path());
  CHECK(bad.text ==
        "step-00000470  ok       3 files, 276 B\n"
        "step-00000940  damaged  model.safetensors is not as it was written: its digest is "
        "fa800c0f3b94625b363e5b1c48897cd9, not 152cbdde8db2e35c6262faf30adc5725\n"
        "knead: 1 of 2 checkpoints of runs/a cannot be used\n"
        "     = a run goes on from the newest good one; a damaged one may be deleted\n");
  CHECK(bad.code == 3);
}
