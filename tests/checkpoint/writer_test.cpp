#include <atomic>
#include <cerrno>
#include <future>

#include <catch2/catch.hpp>

#include "runner/checkpoint/writer.h"
#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

const checkpoint::Kept kTwo{.last = 2, .best = {}, .stretch = {}};

/// "saved 1", "failed 2".
std::vector<std::string> words(const std::vector<checkpoint::Outcome>& outcomes) {
  std::vector<std::string> out;
  for (const checkpoint::Outcome& outcome : outcomes) {
    if (const auto* saved = std::get_if<checkpoint::Saved>(&outcome)) {
      out.push_back("saved " + std::to_string(saved->manifest.step));
    } else {
      out.push_back("failed " + std::to_string(std::get<checkpoint::NotSaved>(outcome).step));
    }
  }
  return out;
}

using Words = std::vector<std::string>;

/// A disk on which a save waits at its first sync until it is let go, and fails if it is told to.
struct Gate {
  std::promise<void> reached;
  std::promise<void> go;
  std::atomic<bool> closed = false;
  std::atomic<bool> broken = false;
  SimulatedFiles disk{disk_for_run()};
  FaultyFiles files{disk, [this](int, Call call, const fs::path&) {
                      if (call != Call::sync) return Fault{};
                      if (closed.exchange(false)) {
                        reached.set_value();
                        go.get_future().wait();
                      }
                      return broken ? Fault{Fault::Kind::fail, EIO} : Fault{};
                    }};
  checkpoint::Store store{files, kRun};

  Gate() { store.recover(); }
};

}  // namespace

TEST_CASE("while one save is made another is skipped, and the last one waits for it") {
  Gate gate;
  gate.closed = true;
  checkpoint::Writer writer(gate.store, true);
  CHECK_FALSE(writer.busy());
  CHECK(writer.offer(snapshot_of(1), kTwo));
  gate.reached.get_future().wait();
  CHECK(writer.busy());
  CHECK_FALSE(writer.offer(snapshot_of(2), kTwo));
  CHECK(writer.take().empty());
  auto last = std::async(std::launch::async, [&] { return writer.save_now(snapshot_of(3), kTwo); });
  CHECK(last.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout);
  gate.go.set_value();
  CHECK(last.get());
  CHECK(words(writer.take()) == Words{"saved 1", "saved 3"});
  CHECK(writer.take().empty());
}

TEST_CASE("the best waits for the save that is being made, and nobody for the best") {
  Gate gate;
  checkpoint::Writer writer(gate.store, true);
  writer.offer(snapshot_of(1), kTwo);
  writer.save_next(snapshot_of(2), kTwo);
  writer.wait();
  CHECK(words(writer.take()) == Words{"saved 1", "saved 2"});
  gate.closed = true;
  writer.save_next(snapshot_of(3), kTwo);
  gate.reached.get_future().wait();
  CHECK(writer.busy());
  gate.go.set_value();
  writer.wait();
  CHECK(words(writer.take()) == Words{"saved 3"});
}

TEST_CASE("the end waits for the save that is being made") {
  Gate gate;
  {
    checkpoint::Writer writer(gate.store, true);
    writer.offer(snapshot_of(1), kTwo);
  }
  CHECK(checkpoint::list_checkpoints(gate.disk, kRun).size() == 1);
}

TEST_CASE("a rotation follows each save") {
  for (const bool in_background : {true, false}) {
    Gate gate;
    checkpoint::Writer writer(gate.store, in_background);
    for (std::uint64_t step = 1; step <= 4; ++step) CHECK(writer.save_now(snapshot_of(step), kTwo));
    const auto outcomes = writer.take();
    REQUIRE(outcomes.size() == 4);
    CHECK(std::get<checkpoint::Saved>(outcomes[3]).rotation.removed ==
          std::vector<std::uint64_t>{2});
    CHECK(checkpoint::list_checkpoints(gate.disk, kRun).size() == 2);
  }
}

TEST_CASE("not in the background a save is done when offer returns") {
  Gate gate;
  checkpoint::Writer writer(gate.store, false);
  CHECK(writer.offer(snapshot_of(1), kTwo));
  CHECK_FALSE(writer.busy());
  CHECK(words(writer.take()) == Words{"saved 1"});
}

TEST_CASE("training goes on after a failed save and stops after the third in a row") {
  Gate gate;
  checkpoint::Writer writer(gate.store, true);
  const auto save = [&](std::uint64_t step, bool broken) {
    gate.broken = broken;
    CHECK(writer.save_now(snapshot_of(step), kTwo) == !broken);
    CHECK(words(writer.take()) == Words{(broken ? "failed " : "saved ") + std::to_string(step)});
  };
  save(1, true);
  save(2, true);
  save(3, false);
  save(4, true);
  save(5, true);
  CHECK_NOTHROW(writer.check());
  save(6, true);
  try {
    writer.check();
    FAIL("it goes on");
  } catch (const Error& error) {
    CHECK_THAT(error.what(),
               Catch::StartsWith("3 saves in a row failed; the last: step 6 is not saved: cannot "
                                 "sync runs/digits/checkpoints/.tmp-"));
    CHECK(error.code() == Exit::training_failed);
  }
  CHECK(checkpoint::list_checkpoints(gate.disk, kRun).size() == 1);
}

TEST_CASE("a mistake of the program in the thread comes to the loop") {
  for (const bool in_background : {true, false}) {
    Gate gate;
    checkpoint::Writer writer(gate.store, in_background);
    checkpoint::Snapshot snapshot = snapshot_of(1);
    snapshot.parts[0].file = "../model.safetensors";
    CHECK_FALSE(writer.save_now(std::move(snapshot), kTwo));
    CHECK_THROWS_AS(writer.take(), std::invalid_argument);
  }
}

}  // namespace knead::tests
