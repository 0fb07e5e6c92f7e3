#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runner/plan/order.h"
#include "runner/plan/weighted_draw.h"
#include "runner/plan/windows.h"

namespace knead::plan {

/// The global order of samples, fixed before anything is divided: a function of (seed, epoch) where
/// it is shuffled or drawn with replacement, else the order of the set. One thread at a time; each
/// has its own.
class EpochOrder {
 public:
  EpochOrder(std::uint64_t samples, std::uint64_t seed, bool shuffle)
      : samples_(samples), seed_(seed), shuffle_(shuffle) {}

  /// An epoch is as many as there are samples, drawn by their weights.
  EpochOrder(std::shared_ptr<const WeightedDraw> draw, std::uint64_t seed)
      : samples_(draw->size()), seed_(seed), shuffle_(false), draw_(std::move(draw)) {}

  /// The samples of a window, in the order they are used.
  void read(const Window& window, std::vector<std::uint64_t>& out);

 private:
  std::uint64_t samples_;
  std::uint64_t seed_;
  bool shuffle_;
  std::shared_ptr<const WeightedDraw> draw_;
  std::optional<Permutation> permutation_;  // of epoch_
  std::uint64_t epoch_ = 0;
};

}  // namespace knead::plan
