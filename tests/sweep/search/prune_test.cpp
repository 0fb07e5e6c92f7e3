#include "runner/sweep/search/prune.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace knead::sweep;
using nlohmann::json;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Curve = std::vector<double>;
using Ends = std::vector<std::optional<std::size_t>>;

json recorded() {
  std::ifstream file(KNEAD_ROOT "/tests/fixtures/sweep/prune.json");
  return json::parse(file);
}

std::vector<Curve> curves_of(const json& recorded) {
  std::vector<Curve> curves;
  for (const json& curve : recorded["curves"]) {
    curves.emplace_back();
    for (const json& value : curve)
      curves.back().push_back(value.is_null() ? kNone : value.get<double>());
  }
  return curves;
}

Ends ends_of(const json& recorded) {
  Ends ends;
  for (const json& end : recorded["ends"])
    ends.push_back(end.is_null() ? std::nullopt : std::optional(end.get<std::size_t>()));
  return ends;
}

/// The step, from 1, at which each trial ends, one trial after the other.
Ends asha_ends(const std::vector<Curve>& curves, std::size_t first, int reduction) {
  std::map<std::size_t, std::vector<double>> rungs;  // the values that came to a step
  Ends ends;
  for (const Curve& curve : curves) {
    ends.emplace_back();
    for (std::size_t step = first; step <= curve.size();
         step *= static_cast<std::size_t>(reduction)) {
      const double value = curve[step - 1];
      const bool goes_on = asha_continues(rungs[step], value, reduction);
      rungs[step].push_back(value);
      if (goes_on) continue;
      ends.back() = step;
      break;
    }
  }
  return ends;
}

Ends median_ends(const std::vector<Curve>& curves, int startup) {
  std::vector<Curve> finished;
  Ends ends;
  for (const Curve& curve : curves) {
    ends.emplace_back();
    double best = kNone;
    for (std::size_t i = 0; i < curve.size() && !ends.back(); ++i) {
      best = std::fmin(best, curve[i]);
      std::vector<double> others;
      for (const Curve& other : finished) others.push_back(i < other.size() ? other[i] : kNone);
      if (!median_continues(others, best, startup)) ends.back() = i + 1;
    }
    if (!ends.back()) finished.push_back(curve);
  }
  return ends;
}

}  // namespace

TEST_CASE("successive halving ends the trials that Optuna ends, at the same step") {
  const json table = recorded();
  for (const json& one : table["asha"]) {
    INFO(one["reduction"] << " from " << one["first"]);
    CHECK(asha_ends(curves_of(table), one["first"], one["reduction"]) == ends_of(one));
  }
}

TEST_CASE("the median ends the trials that Optuna ends, at the same step") {
  const json table = recorded();
  for (const json& one : table["median"]) {
    INFO(one["startup"]);
    CHECK(median_ends(curves_of(table), one["startup"]) == ends_of(one));
  }
}

TEST_CASE("a trial goes on beyond a rung if it is among the best") {
  CHECK(asha_continues({}, 5, 3));
  CHECK_FALSE(asha_continues({}, kNone, 3));
  CHECK(asha_continues(std::vector{2.0}, 1, 3));
  CHECK_FALSE(asha_continues(std::vector{2.0}, 3, 3));
  CHECK(asha_continues(std::vector{2.0}, 2, 3));  // the same place
  // Six came to the rung: two go on.
  CHECK(asha_continues(std::vector{1.0, 3.0, 4.0, 5.0, 6.0}, 2, 3));
  CHECK_FALSE(asha_continues(std::vector{1.0, 2.0, 4.0, 5.0, 6.0}, 3, 3));
  // What is not a number did not come.
  CHECK_FALSE(asha_continues(std::vector{1.0, kNone, 4.0, 5.0, 6.0}, 2, 3));
}

TEST_CASE("the best are promoted, the first of equal ones first") {
  using Indices = std::vector<std::size_t>;
  CHECK(asha_promoted({}, 2).empty());
  CHECK(asha_promoted(std::vector{1.0}, 2).empty());
  CHECK(asha_promoted(std::vector{3.0, 1.0, 2.0, 1.0}, 2) == Indices{1, 3});
  CHECK(asha_promoted(std::vector{3.0, 1.0, 2.0, 1.0}, 4) == Indices{1});
  CHECK(asha_promoted(std::vector{kNone, 1.0, kNone, 2.0, 0.0}, 2) == Indices{4});
}

TEST_CASE("whoever is promoted would also go on as the last to come") {
  CHECK(rc::check("any values", [] {
    const auto whole = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20));
    const int reduction = *rc::gen::inRange(2, 5);
    const std::vector<double> values(whole.begin(), whole.end());
    const auto promoted = asha_promoted(values, reduction);
    RC_ASSERT(promoted.size() == values.size() / static_cast<std::size_t>(reduction));
    for (const std::size_t index : promoted) {
      std::vector<double> others = values;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
      RC_ASSERT(asha_continues(others, values[index], reduction));
    }
  }));
}

TEST_CASE("a trial ends if its best is worse than the median of the others") {
  const std::vector<double> even{1, 2, 3, 4};
  CHECK(median_continues(even, 2.5, 4));
  CHECK_FALSE(median_continues(even, 2.6, 4));
  CHECK(median_continues(even, 9, 5));
  CHECK_FALSE(median_continues(even, kNone, 4));
  CHECK(median_continues({}, kNone, 0));
  const std::vector<double> some{kNone, 1, kNone, 2, 5};
  CHECK(median_continues(some, 2, 5));
  CHECK_FALSE(median_continues(some, 3, 5));
  CHECK(median_continues(std::vector{kNone, kNone}, 3, 1));
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(median_continues(std::vector{infinity, infinity}, infinity, 1));
}
