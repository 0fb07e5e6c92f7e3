#include "runner/sweep/search/tpe.h"

#include <cmath>
#include <limits>

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "runner/sweep/search/parzen.h"
#include "runner/sweep/search/sobol.h"
#include "tests/sweep/search/spaces.h"

using namespace knead::sweep;
using knead::tests::any_space;
using knead::tests::is_in;
using knead::tests::range_of;

namespace {

using History = std::vector<Observation>;

/// A trial for each point of a search, with a loss that decreases towards one choice and one place.
template <class Loss>
History history_of(const Space& space, std::size_t trials, std::uint64_t seed, Loss loss) {
  History history;
  for (std::size_t i = 0; i < trials; ++i) {
    const Point point = tpe_point(space, seed, i, history);
    history.push_back({point, loss(point), 1});
  }
  return history;
}

History random_history(const Space& space, int trials) {
  History history;
  for (int i = 0; i < trials; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    std::optional<double> loss = *rc::gen::inRange(0, 50) / 10.0;
    if (*rc::gen::inRange(0, 5) == 0) loss = std::nullopt;
    const double reach = *rc::gen::element(1.0, 1.0, 0.3);
    history.push_back({sobol_point(space, 9, number), loss, reach});
  }
  return history;
}

}  // namespace

TEST_CASE("a proposal belongs to the space, and is a function of its arguments alone") {
  CHECK(rc::check("any space and history", [] {
    const Space space = any_space();
    const History history = random_history(space, *rc::gen::inRange(0, 60));
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Point point = tpe_point(space, seed, history.size(), history);
    RC_ASSERT(is_in(space, point));
    tpe_point(space, seed + 1, history.size(), {});
    RC_ASSERT(tpe_point(space, seed, history.size(), history) == point);
  }));
}

TEST_CASE("the first proposals are Sobol points, until 10 trials have a loss") {
  const Space space{Choices{3}, range_of(0, 1)};
  History history;
  for (std::uint64_t i = 0; i < 10; ++i) {
    CHECK(tpe_point(space, 4, i, history) == sobol_point(space, 4, i));
    history.push_back({{0, 0.5}, 1.0, 1});
  }
  CHECK(tpe_point(space, 4, 10, history) != sobol_point(space, 4, 10));
  history[3].loss = std::numeric_limits<double>::quiet_NaN();
  history[3].reach = 1;
  CHECK(tpe_point(space, 4, 10, history) == sobol_point(space, 4, 10));
  CHECK(is_in(Space(200, Choices{2}), tpe_point(Space(200, Choices{2}), 0, 0, {})));
}

TEST_CASE("a search comes near the best choice, whole number and place") {
  const Space space{Choices{4}, range_of(1, 1000, true, true), range_of(1e-6, 1, true)};
  const auto loss = [](const Point& point) {
    return (point[0] == 2 ? 0 : 1) + std::abs(std::log(point[1] / 30)) +
           std::abs(std::log10(point[2]) + 3);
  };
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    const History history = history_of(space, 80, seed, loss);
    int right = 0;
    double best = 10;
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (i >= 40 && history[i].point[0] == 2) ++right;
      best = std::min(best, *history[i].loss);
    }
    INFO(seed);
    CHECK(right >= 24);  // of 40; 10 were expected without knowledge
    CHECK(best < 0.6);
  }
}

TEST_CASE("a pruned trial ranks behind those that ran to their end, whatever its loss") {
  // Pruned trials, with lower losses, are at 0.9, the best others at 0.1.
  const Space space{range_of(0, 1)};
  History history;
  for (int i = 0; i < 40; ++i) {
    const bool is_pruned = i % 2 == 0;
    const double at = is_pruned ? 0.85 + 0.002 * i : (i % 4 == 1 ? 0.1 : 0.5) + 0.001 * i;
    history.push_back({{at}, is_pruned ? 0.0 : at, is_pruned ? 0.2 : 1.0});
  }
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) sum += tpe_point(space, seed, 40, history)[0];
  CHECK(sum / 50 < 0.3);
}

TEST_CASE("proposals keep away from trials that have no loss") {
  const Space space{range_of(0, 1)};
  History history;
  for (int i = 0; i < 40; ++i) {
    const double at = (i + 0.5) / 40;
    history.push_back({{at}, std::abs(at - 0.5), 1});
  }
  const auto share_near_middle = [&] {
    int near = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      near += std::abs(tpe_point(space, seed, 99, history)[0] - 0.5) < 0.03;
    return near / 200.0;
  };
  const double before = share_near_middle();
  for (int i = 0; i < 10; ++i) history.push_back({{0.5}, std::nullopt, 1});
  CHECK(share_near_middle() < before / 2);
}

TEST_CASE("a density sums up to 1, and is the one that points are drawn from") {
  const Space space{Choices{3}, range_of(1, 40, true, true), range_of(-1, 1)};
  std::vector<Weighted> points;
  for (std::uint64_t i = 0; i < 6; ++i)
    points.push_back({parts_of(space, sobol_point(space, 1, i)), 1.0 + static_cast<double>(i)});
  const ParzenEstimator density(space, points);
  constexpr int kCells = 64;
  double sum = 0;
  double mean = 0;
  for (int choice = 0; choice < 3; ++choice) {
    for (int whole = 1; whole <= 40; ++whole) {
      for (int cell = 0; cell < kCells; ++cell) {
        const double at = -1 + 2 * (cell + 0.5) / kCells;
        const Point point{static_cast<double>(choice), static_cast<double>(whole), at};
        const double mass = std::exp(density.log_density(parts_of(space, point))) / kCells;
        sum += mass;
        mean += mass * (choice == 1 && whole <= 7 ? at + 1 : 0);
      }
    }
  }
  CHECK(sum == Approx(1).epsilon(1e-3));
  Draws draws(3, 5);
  double drawn_mean = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const Point point = density.draw(draws);
    REQUIRE(is_in(space, point));
    drawn_mean += (point[0] == 1 && point[1] <= 7 ? point[2] + 1 : 0) / kDraws;
  }
  CHECK(drawn_mean == Approx(mean).margin(0.015));
}
