// The searches that need no results: random and Sobol points.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/sweep/search/random.h"
#include "runner/sweep/search/sobol.h"
#include "tests/sweep/search/spaces.h"

using namespace knead::sweep;
using knead::tests::any_space;
using knead::tests::is_in;
using knead::tests::range_of;

TEST_CASE("points belong to the space, and are functions of seed and number alone") {
  CHECK(rc::check("any space", [] {
    const Space space = any_space();
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto number = *rc::gen::inRange<std::uint64_t>(0, 100000);
    for (const auto search : {random_point, sobol_point}) {
      const Point point = search(space, seed, number);
      RC_ASSERT(is_in(space, point));
      // Other points in between change nothing.
      search(space, seed + 1, number);
      search(space, seed, number + 1);
      RC_ASSERT(search(space, seed, number) == point);
      // A new dimension leaves the others as they are.
      Space larger = space;
      larger.push_back(Choices{7});
      Point longer = search(larger, seed, number);
      longer.pop_back();
      RC_ASSERT(longer == point);
    }
  }));
}

TEST_CASE("random points keep their values") {
  // They belong to the meaning of a seed: a sweep that is resumed with another version of the
  // program goes on with the same trials.
  const Space space{Choices{5}, range_of(0, 1), range_of(1e-5, 1e-1, true),
                    range_of(1, 1000, true, true)};
  CHECK(random_point(space, 0, 0) == Point{3, 0.703556, 0.002934579, 1});
  CHECK(random_point(space, 17, 3) == Point{1, 0.294982, 7.319273e-05, 4});
  CHECK(sobol_point(space, 0, 0) == Point{2, 0.638184, 0.06084274, 8});
  CHECK(sobol_point(space, 17, 3) == Point{1, 0.437014, 6.488898e-05, 108});
}

TEST_CASE("random points are spread evenly over a dimension and over pairs of them") {
  // 6,400 points in 64 squares: the chi-square of 63 degrees of freedom exceeds 120 with a
  // probability of 1 in 60,000. The seed is fixed.
  const Space space{Choices{8}, range_of(0, 1), range_of(1, 256, true)};
  std::vector<int> counts(64);
  std::vector<int> others(64);
  constexpr int kPoints = 6400;
  for (int i = 0; i < kPoints; ++i) {
    const Point point = random_point(space, 5, static_cast<std::uint64_t>(i));
    const auto choice = static_cast<std::size_t>(point[0]);
    const auto eighth = std::min<std::size_t>(7, static_cast<std::size_t>(point[1] * 8));
    const auto octave = std::min<std::size_t>(7, static_cast<std::size_t>(std::log2(point[2])));
    ++counts[choice * 8 + eighth];
    ++others[eighth * 8 + octave];
  }
  for (const auto& each : {counts, others}) {
    double chi_square = 0;
    for (const int count : each) chi_square += (count - 100.0) * (count - 100.0) / 100;
    CHECK(chi_square < 120);
  }
}

TEST_CASE("the Sobol sequence is that of PyTorch's engine") {
  std::ifstream file(KNEAD_ROOT "/tests/fixtures/sweep/sobol.json");
  const auto recorded = nlohmann::json::parse(file);
  REQUIRE(recorded["bits"] == kSobolBits);
  REQUIRE(recorded["points"][0].size() == kMostSobolDimensions);
  for (std::size_t i = 0; i < recorded["numbers"].size(); ++i) {
    const auto number = recorded["numbers"][i].get<std::uint64_t>();
    INFO("number " << number);
    const auto wanted = recorded["points"][i].get<std::vector<std::uint32_t>>();
    REQUIRE(sobol_sequence(kMostSobolDimensions, number) == wanted);
  }
}

TEST_CASE("Sobol points have each interval once, whatever the seed") {
  // 256 points that begin at a multiple of 256: one in each of 256 intervals of each dimension, and
  // one in each of 16 by 16 squares of the first two.
  const Space space(20, range_of(0, 1));
  for (const std::uint64_t seed : {0, 1, 99}) {
    std::vector<std::set<int>> intervals(space.size());
    std::set<int> squares;
    for (std::uint64_t number = 512; number < 768; ++number) {
      const Point point = sobol_point(space, seed, number);
      for (std::size_t i = 0; i < point.size(); ++i)
        intervals[i].insert(static_cast<int>(point[i] * 256));
      squares.insert(static_cast<int>(point[0] * 16) * 16 + static_cast<int>(point[1] * 16));
    }
    for (const auto& each : intervals) CHECK(each.size() == 256);
    CHECK(squares.size() == 256);
  }
}

TEST_CASE("seeds have Sobol points of their own, and the first is no corner") {
  const Space space(5, range_of(0, 1));
  std::set<Point> firsts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) firsts.insert(sobol_point(space, seed, 0));
  CHECK(firsts.size() == 50);
  CHECK(std::none_of(firsts.begin(), firsts.end(), [](const Point& point) {
    return std::all_of(point.begin(), point.end(), [](double x) { return x < 0.01 || x > 0.99; });
  }));
}
