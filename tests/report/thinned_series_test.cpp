#include "runner/report/thinned_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace knead::report;

namespace {

Point point(double step, double value) { return {{step, step / 100, step / 10}, value}; }

}  // namespace

TEST_CASE("a short series keeps each point") {
  ThinnedSeries series(4);
  for (const double step : {10, 20, 30}) series.add(point(step, -step));
  REQUIRE(series.columns().size() == 3);
  CHECK_FALSE(series.is_thinned());
  CHECK(series.columns()[1].least == -20);
  CHECK(series.columns()[1].largest == -20);
  CHECK(series.columns()[1].middle().epoch == Approx(0.2));
}

TEST_CASE("each column of a long series has its least and its largest value") {
  // Values without an order, with two peaks of a single step.
  const auto value = [](std::size_t step) {
    if (step == 7777) return 1000.0;
    if (step == 123'456) return -1000.0;
    return std::sin(static_cast<double>(step * step % 9973));
  };
  ThinnedSeries series(100);
  constexpr std::size_t kSteps = 300'000;
  for (std::size_t step = 1; step <= kSteps; ++step)
    series.add(point(static_cast<double>(step), value(step)));
  CHECK(series.is_thinned());
  CHECK(series.points() == kSteps);
  CHECK(series.columns().size() >= 100);
  CHECK(series.columns().size() <= 200);
  std::size_t step = 1;
  for (const Column& column : series.columns()) {
    double least = value(step), largest = least, sum = 0;
    const std::size_t first = step;
    CHECK(column.first.step == static_cast<double>(first));
    for (; static_cast<double>(step) <= column.last.step; ++step) {
      least = std::min(least, value(step));
      largest = std::max(largest, value(step));
      sum += value(step);
    }
    REQUIRE(column.points == step - first);
    REQUIRE(column.least == least);
    REQUIRE(column.largest == largest);
    REQUIRE(column.mean() == Approx(sum / static_cast<double>(step - first)).margin(1e-9));
  }
  CHECK(step == kSteps + 1);  // no step is left out
}

TEST_CASE("what is not finite is counted and not drawn") {
  ThinnedSeries series;
  series.add(point(1, 0.5));
  series.add(point(2, NAN));
  series.add(point(3, std::numeric_limits<double>::infinity()));
  CHECK(series.columns().size() == 1);
  CHECK(series.not_finite() == 2);
  CHECK(series.first_not_finite() == 2);
}

TEST_CASE("steps that are none, or out of order, do no harm") {
  ThinnedSeries series(2);
  for (const double step : {-1.0, std::numeric_limits<double>::quiet_NaN(), 1e300,
                            std::numeric_limits<double>::infinity()})
    series.add(point(step, 1));
  CHECK(series.columns().empty());
  for (const double step : {9007199254740992.0, 0.0, 5.0, 4.0, 3.0, 2.0, 1.0})
    series.add(point(step, step));
  CHECK(series.points() == 7);
  CHECK(series.columns().size() <= 4);
  CHECK(series.columns().front().least == 0);
  CHECK(series.columns().back().largest == 9007199254740992.0);
}
