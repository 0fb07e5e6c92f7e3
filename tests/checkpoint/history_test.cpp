#include <cerrno>
#include <memory>
#include <random>

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "runner/checkpoint/names.h"
#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

const fs::path kStranger = fs::path(kCheckpoints) / "step-00000001.copy";

/// A run that lives through whatever comes, and knows what it must not have lost.
class History {
 public:
  History() {
    SimulatedFiles files(disk_for_run());
    files.make_folder(kCheckpoints);
    files.make_folder(kStranger);
    disk_ = std::make_unique<SimulatedFiles>(files.disk.rest());
    start();
  }

  /// A process, perhaps the next one, looks for what there is.
  checkpoint::Recovery start() {
    files_ = std::make_unique<FaultyFiles>(
        *disk_, [this](int, Call, const fs::path&) { return --calls_ == 0 ? fault_ : Fault{}; });
    store_ = std::make_unique<checkpoint::Store>(*files_, kRun);
    checkpoint::Recovery recovery = store_->recover();
    const std::uint64_t found = recovery.found ? recovery.found->manifest.step : 0;
    // One that was not acknowledged may have become a checkpoint all the same.
    RC_ASSERT(found == newest() || (found > newest() && found <= step_));
    if (found > newest()) good_.insert(found);
    return recovery;
  }

  /// Saves and rotates. The call of that number goes wrong as told, if there is one.
  void save(const checkpoint::Kept& kept, Fault fault = {}, int at = 0) {
    fault_ = fault;
    calls_ = at;
    ++step_;
    try {
      store_->save(snapshot_of(step_));
      good_.insert(step_);
      rotate(kept);
    } catch (const checkpoint::SaveFailed&) {
      RC_ASSERT(fault.kind == Fault::Kind::fail);
    }
    calls_ = 0;
  }

  /// Dies in a save or its rotation; perhaps the power fails then.
  void die(const checkpoint::Kept& kept, int at, bool power_fails) {
    try {
      save(kept, {Fault::Kind::die_after}, at);
    } catch (const Killed&) {
      calls_ = 0;
    }
    if (power_fails) {
      std::minstd_rand random(*rc::gen::inRange(1, 1'000'000));
      const auto choose = [&](int count) { return static_cast<int>(random() % count); };
      disk_ = std::make_unique<SimulatedFiles>(power_cut(disk_->disk, choose));
    }
    std::erase_if(good_, [&](std::uint64_t step) {
      const bool gone = !disk_->disk.find(folder_of(step));
      RC_ASSERT(!gone || (step != newest() && !kept.best.contains(step)));
      return gone;
    });
    RC_ASSERT(start().notes.empty());
  }

  /// A bit of the newest one flips, and the next start goes back.
  void rot() {
    if (good_.size() < 2) return;
    disk_->disk.data(folder_of(newest()) / "state.json")[0] ^= 1;
    good_.erase(newest());
    RC_ASSERT(!start().notes.empty());
  }

  /// What was saved and neither rightly deleted nor damaged is there, and so is what is not ours.
  void check() const {
    RC_ASSERT(disk_->disk.find(kStranger).has_value());
    for (const std::uint64_t step : good_) {
      RC_ASSERT(same(checkpoint::load_checkpoint(*disk_, kRun, step).snapshot, snapshot_of(step)));
    }
  }

  const std::set<std::uint64_t>& good() const { return good_; }

 private:
  static fs::path folder_of(std::uint64_t step) {
    return fs::path(kCheckpoints) / checkpoint::step_name(step);
  }

  std::uint64_t newest() const { return good_.empty() ? 0 : *good_.rbegin(); }

  void rotate(const checkpoint::Kept& kept) {
    for (const std::uint64_t removed : store_->rotate(kept).removed) {
      RC_ASSERT(removed != newest() && !kept.best.contains(removed));
      good_.erase(removed);
    }
  }

  std::unique_ptr<SimulatedFiles> disk_;
  std::unique_ptr<FaultyFiles> files_;
  std::unique_ptr<checkpoint::Store> store_;
  std::set<std::uint64_t> good_;  // acknowledged, neither deleted nor damaged
  std::uint64_t step_ = 0;        // the last one that was tried
  Fault fault_;
  int calls_ = 0;
};

void live(History& history, int what) {
  checkpoint::Kept kept{.last = *rc::gen::inRange<std::size_t>(1, 4), .best = {}, .stretch = {}};
  if (!history.good().empty()) kept.best = {*rc::gen::elementOf(history.good())};
  const int at = *rc::gen::inRange(1, 60);
  switch (what) {
    case 0: return history.save(kept);
    case 1:
      return history.save(kept, {Fault::Kind::fail, *rc::gen::element(EIO, ENOSPC, EACCES)}, at);
    case 2: return history.die(kept, at, false);
    case 3: return history.die(kept, at, true);
    case 4: return history.rot();
    default: history.start();
  }
}

}  // namespace

TEST_CASE("no order of saves, failures, deaths, power cuts and damage loses what counts") {
  CHECK(rc::check("of any history", [] {
    History history;
    for (const int what :
         *rc::gen::resize(30, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6)))) {
      live(history, what);
      history.check();
    }
  }));
}

}  // namespace knead::tests
