#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runner/plan/mix_draw.h"
#include "runner/plan/order.h"
#include "runner/plan/weighted_draw.h"
#include "runner/plan/windows.h"

namespace knead::plan {

/// The global order of samples, fixed before samples are divided among processes. If it is shuffled
/// or drawn, it is a function of (seed, epoch); otherwise it is the order of the set. Every process
/// computes the same order and reads its own part of it, so that the batches do not depend on the
/// number of processes. Any window is read directly, without those before it. Not thread-safe,
/// because it caches permutations: each thread has its own.
class EpochOrder {
 public:
  /// Reads the samples of a set in shuffled or in stored order.
  EpochOrder(std::uint64_t samples, std::uint64_t seed, bool shuffle)
      : samples_(samples), seed_(seed), shuffle_(shuffle) {}

  /// Draws an epoch of as many samples as the set has, with replacement, by their weights. `draw`
  /// is not null and may be shared with other orders.
  EpochOrder(std::shared_ptr<const WeightedDraw> draw, std::uint64_t seed)
      : samples_(draw->size()), seed_(seed), shuffle_(false), draw_(std::move(draw)) {}

  /// Draws an epoch of as many samples as all parts of a mix have together. Each part has an order
  /// of its own that continues from one epoch to the next; with `shuffle` each pass over a part has
  /// another permutation. The indices count through the parts one after the other. `mix` is not
  /// null.
  EpochOrder(std::shared_ptr<const MixDraw> mix, std::uint64_t seed, bool shuffle)
      : samples_(mix->size()), seed_(seed), shuffle_(shuffle), mix_(std::move(mix)) {}

  /// Writes the indices of a window's samples to `out`, in order of use, and resizes it to the size
  /// of the window. Takes time in proportion to that size.
  void read(const Window& window, std::vector<std::uint64_t>& out);

  /// Writes the turn of each sample of a window within its part of a mix to `out`, which is empty
  /// without a mix.
  void read_turns(const Window& window, std::vector<Turn>& out) const;

 private:
  std::uint64_t samples_;
  std::uint64_t seed_;
  bool shuffle_;
  std::shared_ptr<const WeightedDraw> draw_;
  std::shared_ptr<const MixDraw> mix_;

  /// The current pass over a set, or over a part of a mix, and its order.
  struct Round {
    std::uint64_t number = 0;
    std::optional<Permutation> order;
  };

  /// Returns the index in its part of the sample at a turn. Caches the permutation of the round.
  std::uint64_t shuffled(std::size_t part, std::uint64_t samples, const Turn& turn);

  std::vector<Round> rounds_;  // by part
};

}  // namespace knead::plan
