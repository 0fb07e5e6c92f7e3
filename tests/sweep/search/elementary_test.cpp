#include "runner/sweep/search/elementary.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace knead::sweep;

TEST_CASE("logarithms and powers are those of the C library, but for the last bits") {
  for (double value = 1e-300; value < 1e300; value *= 1.37) {
    INFO(value);
    const double log = natural_log(value);
    REQUIRE(std::abs(log - std::log(value)) <= 4.5e-16 * std::max(1.0, std::abs(log)));
  }
  for (double power = -700; power <= 700; power += 0.173) {
    INFO(power);
    REQUIRE(exponential(power) == Approx(std::exp(power)).epsilon(1e-15).margin(0));
  }
  CHECK(natural_log(1) == 0);
  CHECK(exponential(0) == 1);
}

TEST_CASE("probabilities of a normal variable are those of erfc") {
  for (double value = -12; value <= 12; value += 0.0137) {
    INFO(value);
    REQUIRE(std::abs(normal_cdf(value) - 0.5 * std::erfc(-value / std::sqrt(2.0))) <= 1e-14);
  }
}

TEST_CASE("a cut normal variable has the share below its value, and stays in the interval") {
  for (const auto& [low, high] : {std::pair{-1.0, 2.0}, {-0.0, 30.0}, {-40.0, 0.0}, {-9.0, 9.0}}) {
    const double mass = normal_cdf(high) - normal_cdf(low);
    for (double share = 0; share <= 1; share += 1.0 / 64) {
      INFO(low << " to " << high << " at " << share);
      const double value = cut_normal(low, high, share);
      REQUIRE((value >= low && value <= high));
      REQUIRE(std::abs((normal_cdf(value) - normal_cdf(low)) / mass - share) <= 1e-11);
    }
  }
}
