#include "runner/data/transforms/planes.h"

#include <set>

#include <catch2/catch.hpp>

#include "runner/data/transforms/draw.h"

using namespace knead;
using data::Draw;
using data::Planes;

namespace {

using PlaneFloats = std::vector<float>;

// Two planes of 2 × 3.
const PlaneFloats kValues{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
const Planes kImage{kValues, 2, 2, 3};

}  // namespace

TEST_CASE("a part of an image is cut out, with 0 where it lies outside") {
  CHECK(data::cut(kImage, 0, 1, 2, 2) == PlaneFloats{2, 3, 5, 6, 8, 9, 11, 12});
  CHECK(data::cut(kImage, -1, -1, 2, 2) == PlaneFloats{0, 0, 0, 1, 0, 0, 0, 7});
  CHECK(data::cut(kImage, 1, 2, 2, 3) == PlaneFloats{6, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0});
  CHECK(data::cut(kImage, 5, 9, 1, 2) == PlaneFloats(4));
  CHECK(data::cut(kImage, -9, -9, 1, 2) == PlaneFloats(4));
}

TEST_CASE("an image is mirrored left and right, or top and bottom, twice is itself") {
  CHECK(data::flipped(kImage, true) == PlaneFloats{3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10});
  CHECK(data::flipped(kImage, false) == PlaneFloats{4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9});
  const PlaneFloats once = data::flipped(kImage, true);
  CHECK(data::flipped({once, 2, 2, 3}, true) == kValues);
}

TEST_CASE("an image that is not turned or zoomed stays what it is") {
  CHECK(data::turned(kImage, 0, 1) == kValues);
  CHECK(data::scaled(kImage, 2, 3) == kValues);
}

TEST_CASE("a quarter turn is counter-clockwise") {
  const PlaneFloats square{1, 2, 3, 4};
  const PlaneFloats turned = data::turned({square, 1, 2, 2}, 90, 1);
  const PlaneFloats expected{2, 4, 1, 3};
  for (std::size_t i = 0; i < 4; ++i) CHECK(turned[i] == Approx(expected[i]).margin(1e-5));
}

TEST_CASE("a hole is cut off at the edges") {
  CHECK(data::with_hole(kImage, 0, 0, 1, 1) == PlaneFloats{0, 2, 3, 4, 5, 6, 0, 8, 9, 10, 11, 12});
  CHECK(data::with_hole(kImage, 1, 2, 2, 2) == PlaneFloats{1, 0, 0, 4, 0, 0, 7, 0, 0, 10, 0, 0});
  CHECK(data::with_hole(kImage, 0, 0, 99, 99) == PlaneFloats(12));
}

TEST_CASE("draws are a function of seed, epoch, place and transform, and of nothing else") {
  const auto first = [](std::uint64_t seed, std::uint64_t epoch, std::uint64_t place,
                        std::uint32_t transform) {
    return Draw(seed, epoch, place, transform).uniform();
  };
  CHECK(first(1, 2, 3, 4) == first(1, 2, 3, 4));
  const std::set<double> all{first(1, 2, 3, 4), first(0, 2, 3, 4),
                             first(1, 0, 3, 4), first(1, 2, 0, 4),
                             first(1, 2, 3, 0), first(1, 2, 3 + (1ULL << 33), 4)};
  CHECK(all.size() == 6);
}

TEST_CASE("draws are spread as they should be") {
  Draw draw(0, 0, 0, 0);
  constexpr int kCount = 100000;
  double sum = 0;
  double squares = 0;
  std::vector<int> counts(5);
  for (int i = 0; i < kCount; ++i) {
    const double value = draw.normal();
    sum += value;
    squares += value * value;
    ++counts[static_cast<std::size_t>(draw.below(5))];
    const double between = draw.uniform(-2, 3);
    REQUIRE((between >= -2 && between < 3));
  }
  CHECK(sum / kCount == Approx(0).margin(0.02));
  CHECK(squares / kCount == Approx(1).margin(0.02));
  for (const int count : counts) CHECK(count == Approx(kCount / 5).epsilon(0.03));
}
