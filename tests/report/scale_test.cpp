#include "runner/report/scale.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace knead::report;

namespace {

std::string texts(const Scale& scale, std::size_t most) {
  std::string out;
  for (const Tick& tick : ticks(scale, most)) out += (out.empty() ? "" : " ") + tick.text;
  return out;
}

}  // namespace

TEST_CASE("an axis names round numbers") {
  CHECK(texts({.low = 0, .high = 1}, 6) == "0 0.2 0.4 0.6 0.8 1.0");
  CHECK(texts({.low = -3, .high = 7}, 6) == "-2 0 2 4 6");
  CHECK(texts({.low = 0, .high = 940}, 6) == "0 200 400 600 800");
  CHECK(texts({.low = 0, .high = 1e7}, 6) == "0 2M 4M 6M 8M 10M");
  CHECK(texts({.low = 25'000, .high = 244'000}, 6) == "50k 100k 150k 200k");
  CHECK(texts({.low = 0.00095, .high = 0.00105}, 6) == "0.00096 0.00098 0.00100 0.00102 0.00104");
  CHECK(texts({.low = 1e-9, .high = 3e-9}, 6) == "1e-09 1.5e-09 2e-09 2.5e-09 3e-09");
}

TEST_CASE("a logarithmic axis names powers of ten") {
  CHECK(texts({.low = 1e-4, .high = 1e-1, .is_log = true}, 6) == "1e-04 0.001 0.01 0.1");
  CHECK(texts({.low = 0.5, .high = 30, .is_log = true}, 6) == "0.5 1 2 5 10 20");
  CHECK(texts({.low = 1e-12, .high = 1e3, .is_log = true}, 6).find("1e-12") == 0);
  // Less than a power of ten.
  CHECK(texts({.low = 2.2, .high = 2.9, .is_log = true}, 6) == "2.2 2.4 2.6 2.8");
}

TEST_CASE("ticks lie within any scale, and are no more than asked for") {
  for (const double low : {-1e300, -7.3, 0.0, 1e-300, 3.7, 1e18}) {
    for (const double length : {1e-7, 0.3, 1.0, 17.0, 1e6, 1e300}) {
      const Scale scale = scale_over(low, low + length);
      for (const std::size_t most : {2, 5, 10}) {
        const auto found = ticks(scale, most);
        CHECK(found.size() <= most);
        for (const Tick& tick : found) {
          CHECK(tick.value >= scale.low - 1e-6 * (scale.high - scale.low));
          CHECK(tick.value <= scale.high + 1e-6 * (scale.high - scale.low));
        }
      }
    }
  }
}

TEST_CASE("a scale maps its bounds to its places") {
  const Scale line{.low = 10, .high = 20, .from = 200, .to = 100};
  CHECK(line.place(10) == 200);
  CHECK(line.place(20) == 100);
  CHECK(line.place(15) == 150);
  const Scale log{.low = 0.01, .high = 100, .is_log = true};
  CHECK(log.place(1) == Approx(0.5));
  CHECK(log.place(0) == 0);
  CHECK(log.place(-3) == 0);
}

TEST_CASE("a scale has room around its values") {
  CHECK(scale_over(0, 1).low == 0);  // nothing is below 0
  CHECK(scale_over(0, 1).high > 1);
  CHECK(scale_over(-1, 1).low < -1);
  CHECK(scale_over(3, 3).low < 3);
  CHECK(scale_over(3, 3).high > 3);
  CHECK(scale_over(0, 0).high > 0);
  CHECK(scale_over(1e-3, 1, true).is_log);
  CHECK_FALSE(scale_over(0, 1, true).is_log);
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const auto& [least, largest] : {std::pair(-kMost, kMost), std::pair(std::nan(""), 1.0),
                                       std::pair(0.0, std::numeric_limits<double>::infinity())}) {
    const Scale scale = scale_over(least, largest);
    CHECK(scale.low == 0);
    CHECK(scale.high == 1);
  }
}

TEST_CASE("a place has at most one decimal") {
  CHECK(place_text(12) == "12");
  CHECK(place_text(12.04) == "12");
  CHECK(place_text(12.06) == "12.1");
  CHECK(place_text(-0.5) == "-0.5");
}
