#include "runner/plan/rank_memory.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"

namespace knead::plan {
namespace {

/// A model of 1000 bytes, 800 of which are trained with Adam, in units of 150 bytes.
constexpr ModelBytes kModel{.parameters = 1000,
                            .trained = 800,
                            .optimizer = 1600,
                            .averages = 1000,
                            .largest = 90,
                            .outside = 100,
                            .unit = 150};

constexpr Cutting kFour{.ranks = 4, .replicas = 1, .bucket = 50};

std::uint64_t total(Strategy strategy, const Cutting& cutting) {
  return memory_of(strategy, kModel, cutting).total();
}

}  // namespace

TEST_CASE("each strategy divides what its name says") {
  const RankMemory whole = memory_of(Strategy::data_parallel, kModel, kFour);
  CHECK(whole.parameters == 1000);
  CHECK(whole.gradients == 800);
  CHECK(whole.optimizer == 1600);
  CHECK(whole.averages == 1000);
  CHECK(whole.in_flight == 800);

  const RankMemory one = memory_of(Strategy::zero1, kModel, kFour);
  CHECK(one.parameters == 1000);
  CHECK(one.gradients == 800 + 200);
  CHECK(one.optimizer == 400);
  CHECK(one.averages == 250);
  CHECK(one.in_flight == 150);

  Cutting at_once = kFour;
  at_once.accumulates = false;
  CHECK(memory_of(Strategy::zero1, kModel, at_once).gradients == 90 + 200);

  const RankMemory two = memory_of(Strategy::zero2, kModel, kFour);
  CHECK(two.parameters == 1000);
  CHECK(two.gradients == 90 + 200);  // the largest tensor is larger than a bucket
  CHECK(two.optimizer == 400);

  const RankMemory three = memory_of(Strategy::zero3, kModel, kFour);
  CHECK(three.parameters == 250 + 100 + 150);
  CHECK(three.gradients == 90 + 100 + 200);
  CHECK(three.optimizer == 400);
  CHECK(three.in_flight == 150);

  Cutting rounds = kFour;
  rounds.rounds = true;
  CHECK(memory_of(Strategy::zero3, kModel, rounds).in_flight == 150 + 4 * 50);
  Cutting sends = kFour;
  sends.shares_memory = false;
  CHECK(memory_of(Strategy::zero3, kModel, sends).in_flight == 150 + 150);
}

TEST_CASE("replicas hold more, and a replica of one rank holds all") {
  const Cutting two{.ranks = 4, .replicas = 2, .bucket = 50};
  CHECK(memory_of(Strategy::zero1, kModel, two).optimizer == 800);
  const Cutting four{.ranks = 4, .replicas = 4, .bucket = 50};
  for (const Strategy strategy : strategies())
    CHECK(total(strategy, four) == total(Strategy::data_parallel, four));
  const Cutting alone{.ranks = 1, .replicas = 1, .bucket = 50};
  for (const Strategy strategy : strategies()) CHECK(total(strategy, alone) == 4400);
}

TEST_CASE("rounded parameters have numbers of their own beside them") {
  Cutting rounds = kFour;
  rounds.rounds = true;
  CHECK(memory_of(Strategy::zero2, kModel, rounds).parameters == 1000 + 200);
  CHECK(memory_of(Strategy::zero3, kModel, rounds).parameters == 500);
  CHECK(memory_of(Strategy::data_parallel, kModel, rounds).parameters == 1000);
}

TEST_CASE("of a state that is kept elsewhere a part is in memory") {
  Cutting offloads = kFour;
  offloads.state_at_once = 500;
  CHECK(memory_of(Strategy::data_parallel, kModel, offloads).optimizer == 500);
  CHECK(memory_of(Strategy::zero1, kModel, offloads).optimizer == 400);
  offloads.state_at_once = 0;
  CHECK(memory_of(Strategy::zero3, kModel, offloads).optimizer == 0);
  offloads.owned_at_once = 30;
  CHECK(memory_of(Strategy::zero3, kModel, offloads).parameters == 30 + 100 + 150);
  CHECK(memory_of(Strategy::zero2, kModel, offloads).parameters == 1000);
}

TEST_CASE("what no strategy divides is added to each, and the copy of a checkpoint is divided") {
  ModelBytes model = kModel;
  model.undivided = 70;
  Cutting copies = kFour;
  copies.copies = true;
  const RankMemory whole = memory_of(Strategy::data_parallel, model, copies);
  CHECK(whole.copy == 1000 + 1600 + 1000);
  CHECK(whole.total() == total(Strategy::data_parallel, kFour) + 70 + 3600);
  const RankMemory three = memory_of(Strategy::zero3, model, copies);
  CHECK(three.copy == 900);
  CHECK(three.total() == total(Strategy::zero3, kFour) + 70 + 900);
}

TEST_CASE("buckets are no larger than the gradients") {
  const Cutting large{.ranks = 4, .replicas = 1, .bucket = 25'000'000};
  CHECK(memory_of(Strategy::zero2, kModel, large).in_flight == 2400);
  CHECK(memory_of(Strategy::zero2, kModel, large).gradients == 800 + 200);
}

TEST_CASE("the first strategy that fits is chosen") {
  const auto chosen = [](double budget, bool can_gather = true) {
    return first_that_fits(kModel, kFour, budget, can_gather);
  };
  CHECK(chosen(5200).strategy == Strategy::data_parallel);
  CHECK(chosen(5200).reason == "the first that fits into 5.2 kB; data_parallel needs 5.2 kB");
  CHECK(chosen(5199).strategy == Strategy::zero1);
  CHECK(chosen(5199).reason ==
        "the first that fits into 5.2 kB: data_parallel needs 5.2 kB; zero1 needs 2.8 kB");
  CHECK(chosen(2700).strategy == Strategy::zero2);
  CHECK(chosen(2000).strategy == Strategy::zero3);
  CHECK(chosen(2000, false).strategy == Strategy::zero2);
  CHECK(chosen(100).strategy == Strategy::zero3);
  CHECK(chosen(100, false).reason ==
        "it needs least, and nothing fits into 100 B: data_parallel needs 5.2 kB, zero1 needs 2.8 "
        "kB, zero2 needs 2.1 kB");
}

TEST_CASE("replicas that do not divide the ranks are refused") {
  CHECK_NOTHROW(expect_replicas_divide(6, 3));
  try {
    expect_replicas_divide(6, 4);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "6 ranks cannot be cut into distributed.replicas 4");
    CHECK(error.remedy() == "write distributed.replicas: 3");
    CHECK(error.code() == Exit::invalid_recipe);
  }
}

}  // namespace knead::plan
