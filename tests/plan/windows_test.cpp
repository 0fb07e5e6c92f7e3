#include "runner/plan/windows.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"

using knead::plan::Window;
using knead::plan::Windows;

TEST_CASE("an epoch ends on a step, and the last window is smaller") {
  const Windows windows(1500, 32, false);
  CHECK(windows.steps_per_epoch() == 47);
  CHECK(windows.at(0) == Window{0, 0, 32});
  CHECK(windows.at(46) == Window{0, 1472, 28});
  CHECK(windows.at(47) == Window{1, 0, 32});
  CHECK(windows.samples_after(46) == 1472);
  CHECK(windows.samples_after(47) == 1500);
  CHECK(windows.samples_after(48) == 1532);
  CHECK(windows.samples_after(940) == 30000);
}

TEST_CASE("or it is dropped") {
  const Windows windows(1500, 32, true);
  CHECK(windows.steps_per_epoch() == 46);
  CHECK(windows.at(45) == Window{0, 1440, 32});
  CHECK(windows.at(46) == Window{1, 0, 32});
  CHECK(windows.samples_after(46) == 1472);
}

TEST_CASE("an epoch without a step is refused") {
  CHECK_THROWS_WITH(Windows(10, 32, true),
                    "an epoch has no step: 10 samples, batch.size 32, and data.drop_last drops the "
                    "smaller batch");
  CHECK_THROWS_WITH(Windows(0, 32, false), "an epoch has no step: 0 samples, batch.size 32");
}

TEST_CASE("windows cover each epoch once, whatever the sizes") {
  for (std::uint64_t samples = 1; samples < 40; ++samples) {
    for (std::uint64_t batch = 1; batch < 45; ++batch) {
      const Windows windows(samples, batch, false);
      std::uint64_t consumed = 0;
      for (std::uint64_t step = 0; step < 3 * windows.steps_per_epoch(); ++step) {
        const Window window = windows.at(step);
        REQUIRE(window.epoch * samples + window.first == consumed);
        REQUIRE(windows.samples_after(step) == consumed);
        REQUIRE(window.size > 0);
        consumed += window.size;
      }
      REQUIRE(consumed == 3 * samples);
    }
  }
}

TEST_CASE("ranks divide each window into adjacent parts that differ by one sample at most") {
  using knead::plan::Share;
  CHECK(Share{}.of({2, 30, 7}) == Window{2, 30, 7});
  CHECK(Share{0, 4}.of({1, 20, 10}) == Window{1, 20, 3});
  CHECK(Share{1, 4}.of({1, 20, 10}) == Window{1, 23, 3});
  CHECK(Share{2, 4}.of({1, 20, 10}) == Window{1, 26, 2});
  CHECK(Share{3, 4}.of({1, 20, 10}) == Window{1, 28, 2});
  for (std::uint64_t size = 0; size < 20; ++size) {
    for (std::uint64_t ranks = 1; ranks < 9; ++ranks) {
      std::uint64_t next = 5;
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const Window part = Share{rank, ranks}.of({0, 5, size});
        CHECK(part.first == next);
        CHECK((part.size == size / ranks || part.size == size / ranks + 1));
        next += part.size;
      }
      CHECK(next == 5 + size);
    }
  }
}
