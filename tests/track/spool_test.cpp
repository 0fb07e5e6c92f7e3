#include "runner/track/spool.h"

#include <condition_variable>
#include <mutex>

#include <catch2/catch.hpp>

using namespace knead;
using track::Positions;
using track::Report;
using track::Spool;
using track::Warn;

namespace {

/// What a sink was given, and a door that it waits at.
struct Door {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_open = true;
  std::vector<std::uint64_t> steps;

  void open(bool on) {
    const std::lock_guard lock(mutex);
    is_open = on;
    changed.notify_all();
  }

  std::vector<std::uint64_t> seen() {
    const std::lock_guard lock(mutex);
    return steps;
  }
};

class SlowSink final : public track::Sink {
 public:
  SlowSink(std::shared_ptr<Door> door, Warn warn)
      : door_(std::move(door)), warn_(std::move(warn)) {}

  bool is_new() const override { return true; }
  void report(const Report& report) override { take(report.step); }
  void evaluated(const plan::Evaluation& evaluation) override { take(evaluation.step); }
  void ended(track::RunEnd) override {}
  void add_positions(Positions& positions) const override {
    const std::lock_guard lock(door_->mutex);
    positions["slow"] = door_->steps.size();
  }

 private:
  void take(std::uint64_t step) {
    std::unique_lock lock(door_->mutex);
    door_->changed.wait(lock, [this] { return door_->is_open; });
    door_->steps.push_back(step);
    if (step == 13) warn_("13 is unlucky");
  }

  std::shared_ptr<Door> door_;
  Warn warn_;
};

struct World {
  std::shared_ptr<Door> door = std::make_shared<Door>();
  std::vector<std::string> warnings;
  std::optional<Spool> spool;

  explicit World(Spool::Limits limits) {
    spool.emplace(
        "slow", [this](const Warn& warn) { return std::make_unique<SlowSink>(door, warn); },
        [this](const std::string& text) { warnings.push_back(text); }, limits);
  }

  Positions positions() const {
    Positions all;
    spool->add_positions(all);
    return all;
  }
};

Report report_of(std::uint64_t step) { return {.step = step}; }

constexpr std::chrono::milliseconds kLong{60'000};
constexpr std::chrono::milliseconds kShort{20};

}  // namespace

TEST_CASE("a spool hands everything on, in order, before a save and at the end") {
  World world({.records = 100, .wait = kLong});
  CHECK(world.spool->is_new());
  for (std::uint64_t step = 1; step <= 3; ++step) world.spool->report(report_of(step));
  world.spool->evaluated({4, "validation", {}, 0});
  CHECK(world.positions() == Positions{{"slow", 4}});
  CHECK(world.door->seen() == std::vector<std::uint64_t>{1, 2, 3, 4});
  world.spool->report(report_of(5));
  world.spool.reset();
  CHECK(world.door->seen() == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
  CHECK(world.warnings.empty());
}

TEST_CASE("what a sink warns of is said on the thread of the run") {
  World world({.records = 100, .wait = kLong});
  world.spool->report(report_of(13));
  static_cast<void>(world.positions());
  CHECK(world.warnings == std::vector<std::string>{"13 is unlucky"});
}

TEST_CASE("a sink that hangs holds up neither steps nor the end, and its files are left out") {
  World world({.records = 100, .wait = kShort});
  world.door->open(false);
  for (std::uint64_t step = 1; step <= 50; ++step) world.spool->report(report_of(step));
  CHECK(world.positions().empty());
  CHECK(world.positions().empty());
  CHECK(world.warnings == std::vector<std::string>{"slow hangs: the run does not wait for it"});
  SECTION("until it goes on") {
    world.door->open(true);
    while (world.positions().empty()) {
    }
    CHECK(world.positions() == Positions{{"slow", 50}});
  }
  SECTION("to the end") {
    world.spool.reset();
    CHECK(world.door->seen().empty());
    world.door->open(true);  // its thread ends by itself
  }
}

TEST_CASE("a sink that does not keep up loses records, and its files are left out from then on") {
  World world({.records = 2, .wait = kShort});
  world.door->open(false);
  for (std::uint64_t step = 1; step <= 9; ++step) world.spool->report(report_of(step));
  CHECK(world.warnings ==
        std::vector<std::string>{"slow does not keep up: numbers are left out there"});
  world.door->open(true);
  world.warnings.clear();
  while (world.door->seen().size() < 2) {
  }
  CHECK(world.positions().empty());
}
