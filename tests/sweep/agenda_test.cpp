#include "runner/sweep/agenda.h"

#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "runner/sweep/search/prune.h"

using namespace knead::sweep;

namespace {

constexpr std::size_t kPoints = 27;
constexpr std::size_t kRungs = 3;

PruneRule halving() {
  return {.goes_on = [](std::span<const double> earlier,
                        double loss) { return asha_continues(earlier, loss, 3); },
          .promotes = [](std::span<const double> losses) { return asha_promoted(losses, 3); }};
}

/// Returns the loss of a point at a rung, or at its end for the last one.
double loss_of(std::size_t point, int repeat, std::size_t rung) {
  std::mt19937 random(static_cast<unsigned>(point * 1000 + static_cast<std::size_t>(repeat)));
  const double quality = std::uniform_real_distribution<double>(0, 1)(random);
  return quality + 1.0 / static_cast<double>(rung + 1);
}

/// Carries out the tasks of an agenda with so many workers, of which a random one ends next.
/// Forgets everything, as after a kill, each time `dies` says so; what was reached stays.
class Simulation {
 public:
  Simulation(int repeats, std::optional<PruneRule> rule, unsigned seed)
      : repeats_(repeats), rule_(std::move(rule)), random_(seed) {
    reached_.resize(kPoints * static_cast<std::size_t>(repeats));
  }

  /// Returns how many rungs each trial has reached, its end included.
  std::vector<std::size_t> run(std::size_t workers, double chance_of_death) {
    while (!run_once(workers, chance_of_death)) {
    }
    return reached_;
  }

  std::multiset<std::pair<std::size_t, std::size_t>> done;  // (trial, rung) of each task

 private:
  std::size_t index(std::size_t point, int repeat) const {
    return point * static_cast<std::size_t>(repeats_) + static_cast<std::size_t>(repeat);
  }

  void tell(Agenda& agenda, std::size_t point, int repeat, std::size_t rung) const {
    if (!rule_ || rung == kRungs) {
      agenda.finish(point, repeat, loss_of(point, repeat, kRungs));
    } else {
      const double loss = loss_of(point, repeat, rung);
      agenda.reach(point, repeat, loss, loss);
    }
  }

  bool run_once(std::size_t workers, double chance_of_death) {
    Agenda agenda(repeats_, rule_);
    for (std::size_t point = 0; point < kPoints; ++point) {
      agenda.add_point();
      for (int repeat = 0; repeat < repeats_; ++repeat)
        for (std::size_t rung = 0; rung < reached_[index(point, repeat)]; ++rung)
          tell(agenda, point, repeat, rung);
    }
    std::vector<Task> busy;
    for (;;) {
      while (busy.size() < workers) {
        const auto task = agenda.next();
        if (!task) break;
        busy.push_back(*task);
      }
      if (busy.empty()) return true;
      if (std::uniform_real_distribution<double>(0, 1)(random_) < chance_of_death) return false;
      std::swap(busy[random_() % busy.size()], busy.back());
      const Task task = busy.back();
      busy.pop_back();
      auto& reached = reached_[index(task.point, task.repeat)];
      if (task.rung) CHECK(*task.rung == reached);
      done.emplace(index(task.point, task.repeat), reached);
      tell(agenda, task.point, task.repeat, reached);
      ++reached;
      agenda.hold(task.point, task.repeat, false);
    }
  }

  int repeats_;
  std::optional<PruneRule> rule_;
  std::mt19937 random_;
  std::vector<std::size_t> reached_;
};

}  // namespace

TEST_CASE("Without pruning each trial is trained once, in order") {
  Agenda agenda(2, std::nullopt);
  agenda.add_point();
  agenda.add_point();
  CHECK(agenda.next() == Task{0, 0, std::nullopt});
  CHECK(agenda.next() == Task{0, 1, std::nullopt});
  CHECK(agenda.next() == Task{1, 0, std::nullopt});
  agenda.finish(0, 0, 1);
  CHECK_FALSE(agenda.are_settled(1));
  agenda.fail(0, 1);
  CHECK(agenda.are_settled(1));
  CHECK_FALSE(agenda.are_settled(2));
  CHECK(agenda.next() == Task{1, 1, std::nullopt});
  CHECK_FALSE(agenda.next());
}

TEST_CASE("A trial waits at its rung until those before it have come there") {
  Agenda agenda(1, halving());
  agenda.add_point();
  agenda.add_point();
  REQUIRE(agenda.next() == Task{0, 0, 0});
  REQUIRE(agenda.next() == Task{1, 0, 0});
  agenda.reach(1, 0, 0.5, 0.5);
  agenda.hold(1, 0, false);
  CHECK_FALSE(agenda.next());
  agenda.reach(0, 0, 0.4, 0.4);
  agenda.hold(0, 0, false);
  CHECK(agenda.next() == Task{0, 0, 1});
  CHECK_FALSE(agenda.next());
  CHECK(agenda.is_pruned(1, 0));
  CHECK(agenda.is_settled(1));
}

TEST_CASE("Who is pruned does not depend on the workers, on who ends first, or on kills") {
  const int repeats = GENERATE(1, 2);
  Simulation one(repeats, halving(), 1);
  const auto expected = one.run(1, 0);
  // Of 27 points 9 leave the first rung at the end, whichever went on while the others came.
  const auto beyond =
      std::count_if(expected.begin(), expected.end(), [](std::size_t rungs) { return rungs > 1; });
  CHECK(beyond >= 9 * repeats);
  CHECK(beyond < static_cast<std::ptrdiff_t>(kPoints) * repeats);
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Simulation other(repeats, halving(), seed);
    INFO("seed " << seed);
    CHECK(other.run(1 + seed % 7, seed % 3 == 0 ? 0.2 : 0) == expected);
    // No task was done twice.
    const std::set<std::pair<std::size_t, std::size_t>> once(other.done.begin(), other.done.end());
    CHECK(once.size() == other.done.size());
  }
}

TEST_CASE("The best of a rung are promoted when all have come there") {
  Agenda agenda(1, halving());
  // Each is worse than the one before it, so the first pass lets only the first one go on; of six
  // at the rung two may.
  const std::vector<double> losses{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  for (std::size_t i = 0; i < losses.size(); ++i) agenda.add_point();
  for (std::size_t i = 0; i < losses.size(); ++i) {
    REQUIRE(agenda.next() == Task{i, 0, 0});
  }
  for (std::size_t i = 0; i < losses.size(); ++i) {
    agenda.reach(i, 0, losses[i], losses[i]);
    agenda.hold(i, 0, false);
  }
  REQUIRE(agenda.next() == Task{0, 0, 1});
  CHECK_FALSE(agenda.next());
  agenda.finish(0, 0, 0.05);
  CHECK(agenda.is_pruned(1, 0));
  CHECK(agenda.next() == Task{1, 0, 1});
  CHECK_FALSE(agenda.is_pruned(1, 0));
  agenda.finish(1, 0, 0.15);
  CHECK_FALSE(agenda.next());
  CHECK(agenda.is_pruned(2, 0));
}
