#include <algorithm>

#include <fmt/format.h>
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "runner/checkpoint/keep.h"
#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;
using checkpoint::Candidate;
using Steps = std::vector<std::uint64_t>;

Steps deleted_of(const std::vector<Candidate>& candidates, const checkpoint::Kept& kept,
                 std::optional<std::uint64_t> resumed_from = std::nullopt) {
  return checkpoint::superfluous(candidates, kept, resumed_from);
}

std::vector<Candidate> verified(const Steps& steps) {
  std::vector<Candidate> out;
  for (const std::uint64_t step : steps) out.push_back({step, true, true});
  return out;
}

/// Whether property holds of what is random in it.
template <class Property>
void holds(const std::string& title, Property property) {
  CHECK(rc::check(title, property));
}

}  // namespace

TEST_CASE("what rotation keeps") {
  const auto all = verified({100, 200, 300, 400});
  const checkpoint::Kept two{.last = 2, .best = {}, .stretch = {}};
  CHECK(deleted_of(all, two) == Steps{100, 200});
  CHECK(deleted_of(all, {.last = 0, .best = {}, .stretch = {}}) == Steps{100, 200, 300});
  CHECK(deleted_of(all, {.last = 2, .best = {100}, .stretch = {}}) == Steps{200});
  CHECK(deleted_of(all, two, 100) == Steps{100, 200});
  CHECK(deleted_of(verified({100, 200}), {.last = 1, .best = {}, .stretch = {}}, 100).empty());

  // The first of each 150 steps but the first.
  const auto stretch = [](std::uint64_t step) { return step / 150; };
  CHECK(deleted_of(all, {.last = 1, .best = {}, .stretch = stretch}) == Steps{100});

  // One that was not read back stands for nothing, and is not deleted for one that was not.
  CHECK(deleted_of({{100, true}, {200, false}}, {.last = 1, .best = {}, .stretch = {}}).empty());
  CHECK(deleted_of({{100, false}, {200, true}}, {.last = 1, .best = {}, .stretch = {}}) ==
        Steps{100});

  // The newest that is finite.
  CHECK(deleted_of({{100, true, true}, {200, true, true}, {300, true, false}},
                   {.last = 1, .best = {}, .stretch = {}}) == Steps{100});
}

TEST_CASE("rotation keeps what it must, whatever there is") {
  holds("of any candidates", [] {
    std::vector<Candidate> candidates;
    for (const std::uint64_t step :
         *rc::gen::unique<Steps>(rc::gen::inRange<std::uint64_t>(0, 99))) {
      candidates.push_back({step, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()});
    }
    checkpoint::Kept kept{.last = *rc::gen::inRange<std::size_t>(0, 5), .best = {}, .stretch = {}};
    kept.best =
        *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 99));
    const std::uint64_t every = *rc::gen::inRange<std::uint64_t>(1, 50);
    if (*rc::gen::arbitrary<bool>())
      kept.stretch = [=](std::uint64_t step) { return step / every; };
    const Steps gone = deleted_of(candidates, kept);

    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& left, const Candidate& right) { return left.step > right.step; });
    std::size_t newer = 0;
    bool finite_seen = false;
    for (const Candidate& one : candidates) {
      const bool deleted = std::find(gone.begin(), gone.end(), one.step) != gone.end();
      const bool needed = newer < std::max<std::size_t>(kept.last, 1) ||
                          kept.best.contains(one.step) || (one.finite && !finite_seen);
      RC_ASSERT(!(deleted && needed));
      // And no more than it must, but for the first of a stretch.
      if (!kept.stretch) RC_ASSERT(deleted || needed);
      if (one.verified) ++newer;
      if (one.verified && one.finite) finite_seen = true;
    }
  });
}

TEST_CASE("no order of saves, failures, deaths, damage and strangers loses what counts") {
  holds("of any history", [] {
    SimulatedFiles disk(disk_for_run());
    disk.make_folder(kCheckpoints);
    const fs::path stranger = fs::path(kCheckpoints) / "step-00000000.copy";
    disk.make_folder(stranger);
    std::optional<Fault> fault;
    int at = 0;
    int seen = 0;
    FaultyFiles faulty(
        disk, [&](int, Call, const fs::path&) { return fault && ++seen == at ? *fault : Fault{}; });
    auto store = std::make_unique<checkpoint::Store>(faulty, kRun);
    store->recover();
    std::set<std::uint64_t> good;  // acknowledged, not damaged
    std::uint64_t step = 0;
    const auto actions = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5));
    for (const int action : actions) {
      const checkpoint::Kept kept{
          .last = *rc::gen::inRange<std::size_t>(1, 4),
          .best = good.empty() ? std::set<std::uint64_t>{} : std::set{*rc::gen::elementOf(good)},
          .stretch = {}};
      if (action == 0 && !good.empty()) {  // the newest rots, and the run is started again
        const std::uint64_t newest = *good.rbegin();
        if (good.size() == 1) continue;
        disk.disk.data(fs::path(kCheckpoints) / fmt::format("step-{:08}", newest) /
                       "state.json")[0] ^= 1;
        good.erase(newest);
        store = std::make_unique<checkpoint::Store>(faulty, kRun);
        const checkpoint::Recovery recovery = store->recover();
        RC_ASSERT(recovery.found && recovery.found->manifest.step == *good.rbegin());
        continue;
      }
      if (action == 1) {  // it is only started again
        store = std::make_unique<checkpoint::Store>(faulty, kRun);
        const checkpoint::Recovery recovery = store->recover();
        RC_ASSERT(recovery.notes.empty());
        RC_ASSERT(good.empty() == !recovery.found);
        if (recovery.found) RC_ASSERT(recovery.found->manifest.step == *good.rbegin());
        continue;
      }
      fault.reset();
      if (action == 2) {  // one call of this save fails
        fault = Fault{Fault::Kind::fail, *rc::gen::element(EIO, ENOSPC, EACCES)};
        at = *rc::gen::inRange(1, 40);
        seen = 0;
      }
      ++step;
      try {
        store->save(snapshot_of(step));
        good.insert(step);
      } catch (const checkpoint::SaveFailed&) {
      }
      fault.reset();
      for (const std::uint64_t removed : store->rotate(kept).removed) {
        RC_ASSERT(!kept.best.contains(removed));
        RC_ASSERT(removed != *good.rbegin());
        good.erase(removed);
      }
      RC_ASSERT(disk.disk.find(stranger).has_value());
      for (const std::uint64_t one : good) {
        RC_ASSERT(same(checkpoint::load_checkpoint(disk, kRun, one).snapshot, snapshot_of(one)));
      }
    }
  });
}

}  // namespace knead::tests
