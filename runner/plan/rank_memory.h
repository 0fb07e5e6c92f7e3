#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "recipe/distributed.h"

namespace knead::plan {

using Strategy = recipe::Distributed::Strategy;

/// Holds the bytes of a model and of what is kept for it, if one rank held all of it.
struct ModelBytes {
  std::uint64_t parameters = 0;
  std::uint64_t trained = 0;    // of them those that need a gradient
  std::uint64_t optimizer = 0;  // its state, once each trained parameter has had a gradient
  std::uint64_t averages = 0;   // 0 without `average`
  std::uint64_t largest = 0;    // of the trained parameters
  /// The parameters outside of all units, and those of the largest unit.
  std::uint64_t outside = 0, unit = 0;
  /// Counts what no strategy divides: the activations of a micro-batch, the buffers, and the
  /// batches that are read ahead.
  std::uint64_t undivided = 0;
};

/// Bytes of an optimizer's state that are in memory at a time if it is kept on a disk: those of one
/// call of its kernel, and of the next, which are read ahead.
constexpr std::uint64_t kOffloadedAtOnce = 32'000'000;

/// Does not bound it: the state lies in memory.
constexpr std::uint64_t kWholeState = std::numeric_limits<std::uint64_t>::max();

/// Holds how a model is divided among ranks.
struct Cutting {
  std::uint64_t ranks = 1;
  std::uint64_t replicas = 1;  // divides the number of ranks
  std::uint64_t bucket = 0;    // the most bytes that are sent at once
  bool shares_memory = true;   // the ranks: then no unit is on its way while another computes
  bool accumulates = true;     // a rank computes several micro-batches of an update
  bool rounds = false;         // gather: bf16: the optimizer updates numbers of its own
  bool copies = false;         // a checkpoint is copied to the memory in question
  /// Bounds what is in memory of the optimizer's state, if that is kept elsewhere.
  std::uint64_t state_at_once = kWholeState;
  /// Bounds what is in memory of the parameters that a rank owns, if ranks divide them by units and
  /// keep them elsewhere.
  std::uint64_t owned_at_once = kWholeState;
};

/// Holds the bytes of one rank by their purpose; of the rank that needs most, where they differ.
struct RankMemory {
  std::uint64_t parameters = 0;  // its own, and those of others that are whole at a time
  std::uint64_t gradients = 0;
  std::uint64_t optimizer = 0;
  std::uint64_t averages = 0;
  std::uint64_t in_flight = 0;  // buckets that are being sent, and parts of the next unit
  std::uint64_t undivided = 0;
  std::uint64_t copy = 0;  // of the state, while a checkpoint is written beside the next steps

  std::uint64_t total() const {
    return parameters + gradients + optimizer + averages + in_flight + undivided + copy;
  }
};

/// Returns the memory of a rank at its peak. `strategy` must not be auto. A single shard
/// holds as much as data_parallel does.
RankMemory memory_of(Strategy strategy, const ModelBytes& model, const Cutting& cutting);

/// Returns data_parallel, zero1, zero2 and zero3, each of which divides more than those before it.
const std::vector<Strategy>& strategies();

/// Returns the name of a strategy as a recipe writes it.
std::string name_of(Strategy strategy);

/// A strategy, and why it was chosen.
struct Choice {
  Strategy strategy = Strategy::data_parallel;
  /// Ends a sentence: "the first that fits into 24 GB; data_parallel needs 31 GB".
  std::string reason;
};

/// Returns the first strategy with which a rank needs no more than `budget` bytes; if none does,
/// the one that needs least. Leaves zero3 out unless `can_gather`.
Choice first_that_fits(const ModelBytes& model, const Cutting& cutting, double budget,
                       bool can_gather);

/// Requires that the replicas divide the ranks. Throws knead::Error with Exit::invalid_recipe.
void expect_replicas_divide(std::int64_t ranks, std::int64_t replicas);

}  // namespace knead::plan
