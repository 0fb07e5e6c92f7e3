#include "runner/sweep/search/grid.h"

#include <set>

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "tests/sweep/search/spaces.h"

using namespace knead::sweep;
using knead::tests::any_space;
using knead::tests::is_in;
using knead::tests::range_of;

namespace {

std::vector<Point> grid_of(const Space& space) {
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < grid_size(space); ++i) points.push_back(grid_point(space, i));
  return points;
}

std::vector<double> cut(const Range& range) {
  std::vector<double> values;
  for (const Point& point : grid_of({range})) values.push_back(point[0]);
  return values;
}

using Values = std::vector<double>;

}  // namespace

TEST_CASE("the last dimension of a grid changes fastest") {
  CHECK(grid_of({Choices{2}, range_of(1, 2, false, false, 3)}) ==
        std::vector<Point>{{0, 1}, {0, 1.5}, {0, 2}, {1, 1}, {1, 1.5}, {1, 2}});
  CHECK(grid_of({}) == std::vector<Point>{{}});
}

TEST_CASE("a range is cut evenly, and its bounds are exact") {
  CHECK(cut(range_of(1e-4, 1e-1, true, false, 4)) == Values{1e-4, 1e-3, 1e-2, 1e-1});
  CHECK(cut(range_of(0, 1, false, false, 4)) == Values{0, 0.333333, 0.666667, 1});
  CHECK(cut(range_of(0.123456789123, 0.2, false, false, 2)) == Values{0.123456789123, 0.2});
  CHECK(cut(range_of(0.1, 0.2, false, false, 1)) == Values{0.1});
  CHECK(cut(range_of(0.1, 0.1, false, false, 5)) == Values{0.1});
}

TEST_CASE("whole numbers are the nearest to an even cut, each once") {
  CHECK(cut(range_of(1, 10, false, true, 4)) == Values{1, 4, 7, 10});
  CHECK(cut(range_of(0, 3, false, true, 3)) == Values{0, 2, 3});
  CHECK(cut(range_of(-1, 2, false, true, 9)) == Values{-1, 0, 1, 2});
  CHECK(cut(range_of(-1, 2, false, true)) == Values{-1, 0, 1, 2});
  CHECK(cut(range_of(16, 256, true, true, 5)) == Values{16, 32, 64, 128, 256});
  CHECK(cut(range_of(1, 9, true, true, 9)) == Values{1, 2, 3, 4, 5, 7, 9});
  CHECK(cut(range_of(1, 3, true, true)) == Values{1, 2, 3});
  CHECK(cut(range_of(-4e15, 4e15, false, true, 3)) == Values{-4e15, 0, 4e15});
}

TEST_CASE("a grid that 64 bits do not count has no size") {
  CHECK(grid_size(Space(63, Choices{2})) == std::uint64_t{1} << 63);
  CHECK(grid_size(Space(64, Choices{2})) == std::nullopt);
  CHECK(grid_size({Choices{std::size_t{1} << 32}, Choices{std::size_t{1} << 32}}) == std::nullopt);
}

TEST_CASE("a grid holds each of its points once, in the space") {
  CHECK(rc::check("any space", [] {
    const Space space = any_space();
    const std::uint64_t size = grid_size(space).value();
    RC_PRE(size <= 4000u);
    std::set<Point> seen;
    for (const Point& point : grid_of(space)) {
      RC_ASSERT(is_in(space, point));
      RC_ASSERT(seen.insert(point).second);
    }
    std::size_t least = 1;
    for (const Dimension& dimension : space) {
      std::set<double> values;
      const std::size_t index = static_cast<std::size_t>(&dimension - space.data());
      for (const Point& point : seen) values.insert(point[index]);
      if (const auto* range = std::get_if<Range>(&dimension)) {
        RC_ASSERT(values.count(range->low) == 1u);
        RC_ASSERT(range->points == 1 || values.count(range->high) == 1u);
      }
      least *= values.size();
    }
    RC_ASSERT(seen.size() == least);
  }));
}
