#include "runner/sweep/search/coordinate.h"

#include <map>

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "tests/sweep/search/spaces.h"

using namespace knead::sweep;
using knead::tests::any_dimension;
using knead::tests::is_in;
using knead::tests::range_of;

namespace {

/// How often each coordinate comes at evenly spaced shares.
std::map<double, int> counts_of(const Dimension& dimension, int shares) {
  std::map<double, int> counts;
  for (int i = 0; i < shares; ++i) ++counts[coordinate_at(dimension, (i + 0.5) / shares)];
  return counts;
}

}  // namespace

TEST_CASE("choices and whole numbers have equal parts of the shares") {
  CHECK(counts_of(Choices{3}, 300) == std::map<double, int>{{0, 100}, {1, 100}, {2, 100}});
  CHECK(counts_of(range_of(-1, 2, false, true), 400) ==
        std::map<double, int>{{-1, 100}, {0, 100}, {1, 100}, {2, 100}});
  // log(1.5 / 0.5), log(2.5 / 1.5), log(3.5 / 2.5) and log(4.5 / 3.5) of log(9).
  CHECK(counts_of(range_of(1, 4, true, true), 1000) ==
        std::map<double, int>{{1, 500}, {2, 232}, {3, 154}, {4, 114}});
}

TEST_CASE("bounds are the ends of the shares, and the middle is that of the scale") {
  const Range linear = range_of(-0.1, 0.3);
  CHECK(coordinate_at(linear, 0) == -0.1);
  CHECK(coordinate_at(linear, 0.5) == 0.1);
  CHECK(coordinate_at(linear, 1) == 0.3);
  const Range log = range_of(1e-5, 1e-1, true);
  CHECK(coordinate_at(log, 0) == 1e-5);
  CHECK(coordinate_at(log, 0.5) == 1e-3);
  CHECK(coordinate_at(log, 1) == 1e-1);
}

TEST_CASE("numbers of a range are short, and as fine as the range is") {
  CHECK(short_number(range_of(0, 1), 0.123456789) == 0.123457);
  CHECK(short_number(range_of(0, 1), 0.0000123456) == 0.000012);
  CHECK(short_number(range_of(0, 1), 1e-9) == 0);
  CHECK(short_number(range_of(-1, 1), -0.123456789) == -0.123457);
  CHECK(short_number(range_of(1000, 1000.001), 1000.00012345678) == 1000.0001234568);
  CHECK(short_number(range_of(1e-6, 1, true), 0.00001234567891) == 0.00001234568);
  CHECK(short_number(range_of(1, 1.0001, true), 1.000012345678) == 1.00001234568);
  CHECK(short_number(range_of(0.12345683, 1), 0.12345684) == 0.12345683);
}

TEST_CASE("the part of a coordinate holds the share that it came from") {
  CHECK(rc::check("any share of any dimension", [] {
    const Dimension dimension = any_dimension();
    const double share = *rc::gen::inRange(0, 1 << 20) / static_cast<double>(1 << 20);
    const double coordinate = coordinate_at(dimension, share);
    RC_ASSERT(is_in({dimension}, {coordinate}));
    const Part part = part_of(dimension, coordinate);
    RC_ASSERT(is_discrete(dimension) == (part.begin < part.end));
    const auto* range = std::get_if<Range>(&dimension);
    if (range != nullptr && range->low == range->high) return;
    const double margin = is_discrete(dimension) ? 1e-9 : 1e-6;
    RC_ASSERT(share >= part.begin - margin && share <= part.end + margin);
    RC_ASSERT(coordinate_at(dimension, part.middle()) == coordinate);
  }));
}
