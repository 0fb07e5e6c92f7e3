#include "runner/plan/schedule.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "schema/error.h"

using namespace knead;
using plan::Schedule;
using schema::Quantity;
using schema::Unit;

namespace {

constexpr schema::Epoch kEpoch{1500, 32, false};  // 47 steps

recipe::CosineSchedule cosine(double min_factor, std::optional<Quantity> warmup,
                              Quantity over = {20, Unit::epochs}) {
  recipe::CosineSchedule out;
  out.min_factor = min_factor;
  out.warmup = warmup;
  out.over = over;
  return out;
}

}  // namespace

TEST_CASE("a warm-up rises linearly and never begins with nothing") {
  recipe::ConstantSchedule constant;
  constant.warmup = Quantity{100, Unit::steps};
  const Schedule schedule(constant, kEpoch, 940);
  CHECK(schedule.factor(0) == 0.01);
  CHECK(schedule.factor(49) == 0.5);
  CHECK(schedule.factor(99) == 1.0);
  CHECK(schedule.factor(100) == 1.0);
  CHECK(schedule.factor(5000) == 1.0);
}

TEST_CASE("a cosine falls from 1 to its last factor, and stays there") {
  const Schedule schedule(cosine(0.1, std::nullopt), kEpoch, 940);
  CHECK(schedule.factor(0) == 1.0);
  CHECK(schedule.factor(470) == Approx(0.55).epsilon(1e-12));
  CHECK(schedule.factor(940) == Approx(0.1).epsilon(1e-12));
  CHECK(schedule.factor(5000) == Approx(0.1).epsilon(1e-12));
  for (std::uint64_t step = 0; step < 940; ++step) {
    const double closed_form =
        0.1 + 0.9 * 0.5 * (1 + std::cos(M_PI * static_cast<double>(step) / 940));
    REQUIRE(schedule.factor(step) == Approx(closed_form).epsilon(1e-14));
    REQUIRE(schedule.factor(step) > schedule.factor(step + 1));
  }
}

TEST_CASE("warm-up counts into the cosine's length, and may be a share of it") {
  const Schedule schedule(cosine(0, Quantity{10, Unit::percent}, {200, Unit::steps}), kEpoch, 940);
  CHECK(schedule.factor(0) == 0.05);
  CHECK(schedule.factor(19) == 1.0);
  CHECK(schedule.factor(20) == 1.0);
  CHECK(schedule.factor(110) == Approx(0.5).epsilon(1e-12));
  CHECK(schedule.factor(200) == Approx(0).margin(1e-15));
}

TEST_CASE("lengths that cannot be told, or leave no room, are refused") {
  CHECK_THROWS_WITH(Schedule(cosine(0, std::nullopt, {3600, Unit::seconds}), kEpoch, 940),
                    "schedule.over 1 h cannot be told in steps");
  CHECK_THROWS_WITH(Schedule(cosine(0, Quantity{20, Unit::epochs}), kEpoch, 940),
                    "the warm-up of 940 steps is not shorter than the 940 it leads to");
}
