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

/// The global order of samples, fixed before anything is divided: a function of (seed, epoch) where
/// it is shuffled or drawn, else the order of the set. One thread at a time; each has its own.
class EpochOrder {
 public:
  EpochOrder(std::uint64_t samples, std::uint64_t seed, bool shuffle)
      : samples_(samples), seed_(seed), shuffle_(shuffle) {}

  /// An epoch is as many as there are samples, drawn by their weights.
  EpochOrder(std::shared_ptr<const WeightedDraw> draw, std::uint64_t seed)
      : samples_(draw->size()), seed_(seed), shuffle_(false), draw_(std::move(draw)) {}

  /// An epoch is as many as all parts of a mix have, drawn from them in turn. Each part is gone
  /// through in an order of its own, that goes on from one epoch to the next.
  EpochOrder(std::shared_ptr<const MixDraw> mix, std::uint64_t seed, bool shuffle)
      : samples_(mix->size()), seed_(seed), shuffle_(shuffle), mix_(std::move(mix)) {}

  /// The samples of a window, in the order they are used.
  void read(const Window& window, std::vector<std::uint64_t>& out);

  /// The turn of each of them in the part of a mix that it is of; none where nothing is mixed.
  void read_turns(const Window& window, std::vector<Turn>& out) const;

 private:
  std::uint64_t samples_;
  std::uint64_t seed_;
  bool shuffle_;
  std::shared_ptr<const WeightedDraw> draw_;
  std::shared_ptr<const MixDraw> mix_;

  /// The order in which a set, or a part of a mix, is gone through this time.
  struct Round {
    std::uint64_t number = 0;
    std::optional<Permutation> order;
  };

  std::uint64_t shuffled(std::size_t part, std::uint64_t samples, const Turn& turn);

  std::vector<Round> rounds_;  // by part
};

}  // namespace knead::plan
