#include "runner/report/importance.h"

#include <string>

#include <catch2/catch.hpp>

#include "runner/report/key_axis.h"

using namespace knead::report;

TEST_CASE(
    "the key that decides has the share of the variance, and one that does nothing has none") {
  std::vector<std::vector<std::string>> values;
  std::vector<double> objective;
  for (int i = 0; i < 60; ++i) {
    const int rate = i % 3, width = i / 3 % 4;
    values.push_back({std::to_string(rate), std::to_string(width), std::to_string(i * 7919 % 60)});
    objective.push_back(rate * 1e6 + i * 37 % 60);  // values differ wildly, ranks do not
  }
  const auto found = importances({"rate", "width", "number"}, values, objective);
  REQUIRE(found.size() == 3);
  CHECK(found[0].key == "rate");
  CHECK(found[0].share > 0.85);
  CHECK(found[0].groups == 3);
  CHECK(found[1].share < 0.1);
  CHECK(found[2].share < 0.1);
  for (const Importance& each : found)
    if (each.key == "number") CHECK(each.groups == 5);  // fifths of its range
}

TEST_CASE("few points, equal points and single values have no importance") {
  CHECK(importances({"a"}, {{"1"}, {"2"}, {"3"}}, {1, 2, 3}).empty());
  CHECK(importances({"a"}, {{"1"}, {"2"}, {"1"}, {"2"}}, {5, 5, 5, 5})[0].share == 0);
  CHECK(importances({"a"}, {{"1"}, {"1"}, {"1"}, {"1"}}, {1, 2, 3, 4})[0].share == 0);
  // As many groups as points: nothing is left to compare with.
  CHECK(importances({"a"}, {{"1"}, {"2"}, {"3"}, {"4"}}, {1, 2, 3, 4})[0].share == 0);
}

TEST_CASE("a key with many numbers has an axis by their size") {
  const KeyAxis rates("lr", {"0.0001", "0.001", "0.01", "0.1", "0.0003", "0.003", "0.03"});
  CHECK(rates.is_number());
  CHECK(rates.is_log());
  CHECK(rates.place("0.0001") < 0.1);
  CHECK(rates.place("0.1") > 0.9);
  CHECK(rates.place("0.003") == Approx(0.5).margin(0.02));
}

TEST_CASE("a key with few values has them at equal distances, in order") {
  const KeyAxis batch("batch", {"64", "8", "8", "512"});
  CHECK_FALSE(batch.is_number());
  CHECK(batch.place("8") == Approx(1.0 / 6));
  CHECK(batch.place("64") == Approx(0.5));
  CHECK(batch.place("512") == Approx(5.0 / 6));
  const KeyAxis kinds("act", {"relu", "gelu"});
  CHECK(kinds.marks(5).front().second == "gelu");
  CHECK(KeyAxis("none", {}).marks(5).empty());
}
