#include "runner/plan/rank_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/plan/shards.h"
#include "schema/document/byte_words.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"
#include "schema/rules/divisors.h"

namespace knead::plan {
namespace {

/// Counts the buckets that are filled or sent at once.
constexpr std::uint64_t kBucketsInFlight = 3;

std::uint64_t share_of(std::uint64_t bytes, std::uint64_t shards) {
  return (bytes + shards - 1) / shards;
}

/// Returns the gradients that a rank has beside its sums.
std::uint64_t unsent_gradients(Strategy strategy, const ModelBytes& model, const Cutting& cutting) {
  // A bucket is sent when its last gradient is there; one tensor may be larger than a bucket.
  const std::uint64_t bucket = std::max(cutting.bucket, model.largest);
  // The gradients of a single micro-batch are sent as backward completes them.
  if (strategy == Strategy::zero1 && !cutting.accumulates) strategy = Strategy::zero2;
  switch (strategy) {
    case Strategy::zero2: return std::min(bucket, model.trained);
    // Backward completes the gradients of parameters outside of all units last.
    case Strategy::zero3:
      return std::min(std::min(bucket, model.unit) + model.outside, model.trained);
    default: return model.trained;
  }
}

/// Returns what a rank has for the parameters of the next unit, while one computes.
std::uint64_t next_unit(const ModelBytes& model, const Cutting& cutting) {
  if (!cutting.shares_memory) return model.unit;
  // Ranks read each other's parameters where they lie, unless these are rounded or elsewhere.
  const bool are_written = cutting.rounds || cutting.owned_at_once != kWholeState;
  return are_written ? kPortionsToRead * std::min(cutting.bucket, model.unit) : 0;
}

}  // namespace

RankMemory memory_of(Strategy strategy, const ModelBytes& model, const Cutting& cutting) {
  const std::uint64_t shards = cutting.ranks / cutting.replicas;
  const auto in_memory = [&](std::uint64_t state) {
    return std::min(state, cutting.state_at_once);
  };
  RankMemory memory{.parameters = model.parameters,
                    .gradients = model.trained,
                    .optimizer = in_memory(model.optimizer),
                    .averages = model.averages,
                    .undivided = model.undivided};
  const std::uint64_t state = model.parameters + model.optimizer + model.averages;
  if (strategy == Strategy::data_parallel || shards == 1) {
    // Gradients are copied to buckets, which are summed up.
    memory.in_flight = cutting.ranks > 1 ? model.trained : 0;
    if (cutting.copies) memory.copy = state;  // rank 0 writes it
    return memory;
  }
  const bool is_whole = strategy != Strategy::zero3;
  if (!is_whole)
    memory.parameters = std::min(share_of(model.parameters, shards), cutting.owned_at_once) +
                        model.outside + model.unit;
  else if (cutting.rounds)
    memory.parameters += share_of(model.trained, shards);
  memory.gradients = unsent_gradients(strategy, model, cutting) + share_of(model.trained, shards);
  memory.optimizer = in_memory(share_of(model.optimizer, shards));
  memory.averages = share_of(model.averages, shards);
  memory.in_flight = kBucketsInFlight * std::min(cutting.bucket, model.trained);
  if (!is_whole) memory.in_flight += next_unit(model, cutting);
  if (cutting.copies) memory.copy = share_of(state, shards);
  return memory;
}

const std::vector<Strategy>& strategies() {
  static const std::vector<Strategy> all{Strategy::data_parallel, Strategy::zero1, Strategy::zero2,
                                         Strategy::zero3};
  return all;
}

std::string name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::data_parallel: return "data_parallel";
    case Strategy::zero1: return "zero1";
    case Strategy::zero2: return "zero2";
    case Strategy::zero3: return "zero3";
    case Strategy::auto_: return "auto";
  }
  return "";
}

Choice first_that_fits(const ModelBytes& model, const Cutting& cutting, double budget,
                       bool can_gather) {
  const auto bytes_of = [&](Strategy strategy) {
    return static_cast<double>(memory_of(strategy, model, cutting).total());
  };
  const auto words = [&](Strategy strategy) {
    return fmt::format("{} needs {}", name_of(strategy), schema::byte_words(bytes_of(strategy)));
  };
  std::string larger;
  Strategy least = Strategy::data_parallel;
  for (const Strategy strategy : strategies()) {
    if (strategy == Strategy::zero3 && !can_gather) continue;
    if (bytes_of(strategy) < bytes_of(least)) least = strategy;
    if (bytes_of(strategy) <= budget)
      return {strategy, fmt::format("the first that fits into {}{}; {}", schema::byte_words(budget),
                                    larger, words(strategy))};
    larger += (larger.empty() ? ": " : ", ") + words(strategy);
  }
  return {least, fmt::format("it needs least, and nothing fits into {}{}",
                             schema::byte_words(budget), larger)};
}

void expect_replicas_divide(std::int64_t ranks, std::int64_t replicas) {
  if (ranks % replicas == 0) return;
  throw Error(fmt::format("{} cannot be cut into distributed.replicas {}",
                          schema::count_words(ranks, "rank"), replicas),
              fmt::format("write distributed.replicas: {}",
                          schema::nearest_divisor(ranks, std::min(ranks, replicas))),
              Exit::invalid_recipe);
}

}  // namespace knead::plan
