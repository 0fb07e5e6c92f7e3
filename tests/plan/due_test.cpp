#include "runner/plan/due.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"

using namespace knead;
using plan::Cadence;
using plan::Windows;
using schema::Quantity;
using schema::Unit;

namespace {

/// 1500 samples in batches of 32: 47 steps an epoch, the last of 28 samples.
const Windows kDigits(1500, 32, false);

/// The steps up to `most` at which something is due.
std::vector<std::uint64_t> due_steps(const std::vector<Quantity>& every, std::uint64_t most,
                                     const Windows& windows = kDigits) {
  const Cadence cadence("evaluate.every", every, windows);
  std::vector<std::uint64_t> steps;
  for (std::uint64_t step = 0; step <= most; ++step) {
    if (cadence.due(step)) steps.push_back(step);
  }
  return steps;
}

std::optional<std::uint64_t> total(const Quantity& until, const Windows& windows = kDigits) {
  return plan::total_steps({until, std::nullopt}, windows);
}

using DueSteps = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("steps are due at their multiples") {
  CHECK(due_steps({{10, Unit::steps}}, 35) == DueSteps{10, 20, 30});
  CHECK(due_steps({{1, Unit::steps}}, 3) == DueSteps{1, 2, 3});
  CHECK(due_steps({{500, Unit::steps}}, 499) == DueSteps{});
}

TEST_CASE("an epoch is due at the step that ends it") {
  CHECK(due_steps({{1, Unit::epochs}}, 150) == DueSteps{47, 94, 141});
  CHECK(due_steps({{2, Unit::epochs}}, 200) == DueSteps{94, 188});
  CHECK(due_steps({{1, Unit::epochs}}, 100, Windows(1500, 32, true)) == DueSteps{46, 92});
}

TEST_CASE("a part of an epoch is due at the first step that completes it") {
  CHECK(due_steps({{0.5, Unit::epochs}}, 100) == DueSteps{24, 47, 71, 94});
  CHECK(due_steps({{1.5, Unit::epochs}}, 150) == DueSteps{71, 141});
  CHECK(due_steps({{0.001, Unit::epochs}}, 3) == DueSteps{1, 2, 3});
}

TEST_CASE("tenths of an epoch fall on whole steps in spite of binary fractions") {
  const Windows ten(100, 10, false);
  CHECK(due_steps({{0.1, Unit::epochs}}, 12, ten) ==
        DueSteps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(due_steps({{0.7, Unit::epochs}}, 30, ten) == DueSteps{7, 14, 21, 28});
  CHECK(due_steps({{1.1, Unit::epochs}}, 40, ten) == DueSteps{11, 22, 33});
}

TEST_CASE("samples are due at the first step that has consumed a multiple of them") {
  CHECK(due_steps({{64, Unit::samples}}, 5) == DueSteps{2, 4});
  CHECK(due_steps({{100, Unit::samples}}, 10) == DueSteps{4, 7, 10});
  // The last step of an epoch has 28 samples: after 47 steps 1500 are consumed, after 94 3000.
  CHECK(due_steps({{1500, Unit::samples}}, 100) == DueSteps{47, 94});
  CHECK(due_steps({{1501, Unit::samples}}, 100) == DueSteps{48, 95});
  CHECK(due_steps({{1, Unit::samples}}, 3) == DueSteps{1, 2, 3});
}

TEST_CASE("of several intervals whichever comes first") {
  CHECK(due_steps({{1, Unit::epochs}, {20, Unit::steps}}, 100) ==
        DueSteps{20, 40, 47, 60, 80, 94, 100});
  CHECK(due_steps({{10, Unit::steps}, {320, Unit::samples}}, 20) == DueSteps{10, 20});
}

TEST_CASE("a time is due when it has passed since the last time") {
  const Cadence cadence("checkpoint.every", {{900, Unit::seconds}, {600, Unit::seconds}}, kDigits);
  CHECK_FALSE(cadence.due(7));
  CHECK_FALSE(cadence.due(7, 100, 699.9));
  CHECK(cadence.due(7, 100, 700));
  CHECK_FALSE(cadence.due(0, 0, 10000));
}

TEST_CASE("steps and times together") {
  const Cadence cadence("checkpoint.every", {{500, Unit::steps}, {15 * 60, Unit::seconds}},
                        kDigits);
  CHECK(cadence.due(500, 0, 1));
  CHECK_FALSE(cadence.due(501, 0, 899));
  CHECK(cadence.due(501, 0, 900));
}

TEST_CASE("what has passed grows where something is due") {
  const Cadence cadence("checkpoint.keep.every", {{10, Unit::epochs}}, kDigits);
  CHECK(cadence.passed(469) == 0);
  CHECK(cadence.passed(470) == 1);
  CHECK(cadence.passed(939) == 1);
  CHECK(cadence.passed(940) == 2);
}

TEST_CASE("tokens cannot be told in steps where the data has none") {
  CHECK_THROWS_WITH(Cadence("track.every", {{1e6, Unit::tokens}}, kDigits),
                    "track.every 1000000 tokens cannot be told in steps");
  CHECK_THROWS_WITH(total({1e9, Unit::tokens}),
                    "train.until 1000000000 tokens cannot be told in steps");
}

TEST_CASE("the length of a run in steps") {
  CHECK(total({940, Unit::steps}) == 940);
  CHECK(total({20, Unit::epochs}) == 940);
  CHECK(total({20, Unit::epochs}, Windows(1500, 32, true)) == 920);
  CHECK(total({0.5, Unit::epochs}) == 24);
  CHECK(total({0.001, Unit::epochs}) == 1);
  CHECK(total({1.1, Unit::epochs}, Windows(100, 10, false)) == 11);
  CHECK(total({1, Unit::samples}) == 1);
  CHECK(total({32, Unit::samples}) == 1);
  CHECK(total({33, Unit::samples}) == 2);
  CHECK(total({1472, Unit::samples}) == 46);
  CHECK(total({1500, Unit::samples}) == 47);
  CHECK(total({1501, Unit::samples}) == 48);
  CHECK(total({30000, Unit::samples}) == 940);
  CHECK(total({1473, Unit::samples}, Windows(1500, 32, true)) == 47);
  CHECK(total({1800, Unit::seconds}) == std::nullopt);
}

TEST_CASE("the length in samples is the first step that has consumed them") {
  for (const bool drop_last : {false, true}) {
    const Windows windows(10, 3, drop_last);
    for (std::uint64_t samples = 1; samples < 60; ++samples) {
      const std::uint64_t steps = *total({static_cast<double>(samples), Unit::samples}, windows);
      CHECK(windows.samples_after(steps) >= samples);
      CHECK(windows.samples_after(steps - 1) < samples);
    }
  }
}
