#include "runner/plan/unit_forecast.h"

#include <vector>

#include <catch2/catch.hpp>

using knead::plan::UnitForecast;

namespace {

/// Opens units one after the other, and returns how many of them were foretold.
int foretold(UnitForecast& forecast, const std::vector<std::size_t>& units) {
  int count = 0;
  for (const std::size_t unit : units) {
    count += forecast.next() == unit ? 1 : 0;
    forecast.open(unit);
  }
  return count;
}

const std::vector<std::size_t> kUpdate{0, 1, 2, 3, 4, 4, 3, 2, 1};
const std::vector<std::size_t> kEvaluation{1, 2, 3, 4, 1, 2, 3, 4};

}  // namespace

TEST_CASE("the next unit is the one that followed the last two before") {
  UnitForecast forecast;
  CHECK(foretold(forecast, kUpdate) == 0);
  CHECK_FALSE(forecast.next());
  forecast.end();
  CHECK(foretold(forecast, kUpdate) == 9);
  CHECK_FALSE(forecast.next());
}

TEST_CASE("passes of another order are learned, and the first is not forgotten") {
  UnitForecast forecast;
  foretold(forecast, kUpdate);
  forecast.end();
  foretold(forecast, kEvaluation);
  forecast.end();
  // Behind the first batch another batch follows, and not backward as before.
  foretold(forecast, kEvaluation);
  forecast.end();
  CHECK(foretold(forecast, kUpdate) >= 7);
}

TEST_CASE("a model whose order changes is foretold where it was the same") {
  UnitForecast forecast;
  foretold(forecast, {1, 2, 3, 4});
  forecast.end();
  CHECK(foretold(forecast, {1, 3, 4}) == 1);
}
