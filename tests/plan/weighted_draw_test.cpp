#include "runner/plan/weighted_draw.h"

#include <algorithm>
#include <limits>

#include <catch2/catch.hpp>

#include "runner/plan/epoch_order.h"
#include "runner/plan/random.h"

using namespace knead::plan;

TEST_CASE("places are drawn in proportion to their weights, and never without weight") {
  const WeightedDraw draw({0, 1, 0, 3, 0});
  std::vector<int> counts(draw.size());
  constexpr int kCount = 40000;
  for (int i = 0; i < kCount; ++i)
    ++counts[draw(random_bits(7, Purpose::sampler, 0, static_cast<std::uint64_t>(i)))];
  CHECK(counts[0] == 0);
  CHECK(counts[2] == 0);
  CHECK(counts[4] == 0);
  CHECK(counts[1] == Approx(kCount / 4).epsilon(0.03));
  CHECK(counts[3] == Approx(3 * kCount / 4).epsilon(0.03));
  CHECK(draw(0) == 1);
  CHECK(draw(std::numeric_limits<std::uint64_t>::max()) == 3);
}

TEST_CASE("an epoch is as many draws as there are samples, a function of seed, epoch and place") {
  const auto draw = std::make_shared<const WeightedDraw>(std::vector<double>(100, 1.0));
  EpochOrder order(draw, 3);
  std::vector<std::uint64_t> whole;
  order.read({0, 0, 100}, whole);
  std::vector<std::uint64_t> part;
  order.read({0, 40, 10}, part);
  CHECK(part == std::vector<std::uint64_t>(whole.begin() + 40, whole.begin() + 50));
  std::vector<std::uint64_t> other;
  order.read({1, 0, 100}, other);
  CHECK(other != whole);
  std::sort(whole.begin(), whole.end());
  CHECK(std::adjacent_find(whole.begin(), whole.end()) != whole.end());
}
