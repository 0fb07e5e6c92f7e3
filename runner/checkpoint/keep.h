#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace knead::checkpoint {

/// Holds the rules for checkpoints that rotation must not delete. Besides these, rotation keeps the
/// checkpoint that the run resumed from until two newer ones are verified.
struct Kept {
  std::size_t last = 1;  // how many of the newest verified checkpoints; 0 means 1
  /// Steps of the best evaluations, by evaluations.jsonl. A step without a checkpoint does no harm.
  std::set<std::uint64_t> best;
  /// Maps a step to its stretch of the run, counted from 0. The first checkpoint of each stretch
  /// but the first one is kept for ever. Empty if none is. Must be a pure function.
  std::function<std::uint64_t(std::uint64_t step)> stretch;
};

/// Describes a checkpoint of this run for rotation.
struct Candidate {
  std::uint64_t step = 0;
  /// This process has read the checkpoint back. One that an earlier start wrote counts as
  /// unverified, except the one that the run resumed from.
  bool verified = false;
};

/// Returns the steps that may be deleted, the oldest first. A step is among them only if it has at
/// least Kept::last newer verified checkpoints; unverified ones do not count. `resumed_from` is the
/// step that the run resumed from; std::nullopt for a new run. The candidates may have any order.
/// Pure function.
std::vector<std::uint64_t> superfluous(const std::vector<Candidate>& candidates, const Kept& kept,
                                       std::optional<std::uint64_t> resumed_from);

}  // namespace knead::checkpoint
