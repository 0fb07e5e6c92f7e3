#include "runner/engine/device/spinning.h"

#include <catch2/catch.hpp>

using knead::engine::Crowding;

TEST_CASE("cores are crowded while threads wait for them") {
  Crowding crowding;
  CHECK_FALSE(crowding.after(1.9, 0.04));
  CHECK(crowding.after(0.98, 0.76));
}

TEST_CASE("cores stay crowded until threads wait for them seldom") {
  Crowding crowding;
  CHECK_FALSE(crowding.after(85, 15));
  CHECK(crowding.after(75, 25));
  CHECK(crowding.after(85, 15));
  CHECK_FALSE(crowding.after(95, 5));
  CHECK_FALSE(crowding.after(85, 15));
}

TEST_CASE("threads that neither ran nor waited say nothing about the cores") {
  Crowding crowding;
  CHECK_FALSE(crowding.after(0, 0));
  CHECK(crowding.after(1, 1));
  CHECK(crowding.after(0, 0));
}
