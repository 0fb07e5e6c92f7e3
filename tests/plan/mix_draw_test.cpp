#include "runner/plan/mix_draw.h"

#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "runner/plan/epoch_order.h"

using namespace knead::plan;

namespace {

const std::vector<MixDraw::Part> kParts{{7, 30}, {100, 10}, {3, 20}};

std::vector<std::uint64_t> samples(EpochOrder order, const Window& window) {
  std::vector<std::uint64_t> out;
  order.read(window, out);
  return out;
}

EpochOrder mixed(bool shuffle, std::uint64_t seed = 5) {
  return {std::make_shared<const MixDraw>(kParts), seed, shuffle};
}

}  // namespace

TEST_CASE("any stretch as long as the weights' sum has each weight's count of samples") {
  const MixDraw draw(kParts);
  for (std::uint64_t begin = 0; begin < 50; ++begin) {
    std::map<std::size_t, int> counts;
    for (std::uint64_t i = 0; i < 6; ++i) ++counts[draw(begin + i).part];
    CAPTURE(begin);
    CHECK(counts == std::map<std::size_t, int>{{0, 3}, {1, 1}, {2, 2}});
  }
  CHECK(draw.size() == 110);
}

TEST_CASE("the sets of a mix stand as evenly in it as can be") {
  const MixDraw draw({{10, 3}, {10, 1}});
  std::vector<std::size_t> parts;
  for (std::uint64_t i = 0; i < 8; ++i) parts.push_back(draw(i).part);
  CHECK(parts == std::vector<std::size_t>{0, 0, 1, 0, 0, 0, 1, 0});
}

TEST_CASE("a set is gone through to its end before it begins again") {
  const MixDraw draw(kParts);
  std::vector<Turn> next(3);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto [part, turn] = draw(i);
    REQUIRE(turn == next[part]);
    if (++next[part].place == kParts[part].samples) next[part] = {turn.round + 1, 0};
  }
}

TEST_CASE("the order of a mix is a function of the place alone") {
  for (const bool shuffle : {false, true}) {
    std::vector<std::uint64_t> whole;
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      const auto more = samples(mixed(shuffle), {epoch, 0, 110});
      whole.insert(whole.end(), more.begin(), more.end());
    }
    EpochOrder order = mixed(shuffle);
    std::vector<std::uint64_t> out;
    for (const std::uint64_t at : {250, 3, 109, 110, 219, 0, 329}) {
      order.read({at / 110, at % 110, 1}, out);
      CHECK(out[0] == whole[at]);
    }
  }
}

TEST_CASE("rounds go on from one epoch to the next, each in an order of its own") {
  std::vector<std::uint64_t> small;  // of the set of seven
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
    for (const std::uint64_t sample : samples(mixed(true), {epoch, 0, 110})) {
      if (sample < 7) small.push_back(sample);
    }
  }
  REQUIRE(small.size() == 220);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::size_t begin = 0; begin + 7 <= small.size(); begin += 7) {
    std::vector<std::uint64_t> round(small.begin() + static_cast<std::ptrdiff_t>(begin),
                                     small.begin() + static_cast<std::ptrdiff_t>(begin) + 7);
    orders.insert(round);
    std::sort(round.begin(), round.end());
    CHECK(round == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
  }
  CHECK(orders.size() > 25);
  CHECK(samples(mixed(true, 6), {0, 0, 110}) != samples(mixed(true), {0, 0, 110}));
}

TEST_CASE("only what is mixed has turns") {
  std::vector<Turn> turns{{9, 9}};
  EpochOrder(110, 5, true).read_turns({2, 0, 3}, turns);
  CHECK(turns.empty());
  mixed(true).read_turns({2, 0, 6}, turns);
  const MixDraw draw(kParts);
  REQUIRE(turns.size() == 6);
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(turns[i] == draw(220 + i).turn);
}
