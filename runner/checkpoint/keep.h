#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace knead::checkpoint {

/// Which checkpoints are not to be deleted, besides the newest that is finite and the one the run
/// was resumed from until two newer ones are verified.
struct Kept {
  std::size_t last = 1;          // how many of the newest verified ones; 0 means 1
  std::set<std::uint64_t> best;  // steps, as evaluations.jsonl tells
  /// Which stretch of the run a step belongs to, counted from 0: the first checkpoint of each
  /// stretch from the second on is kept for ever. Empty: none is. Pure.
  std::function<std::uint64_t(std::uint64_t step)> stretch;
};

/// A checkpoint of this run, as rotation sees it.
struct Candidate {
  std::uint64_t step = 0;
  bool verified = false;  // read back by this process
  bool finite = true;
};

/// The steps of those that may be deleted, the oldest first. Only what has enough newer ones that
/// are verified is among them; one that is not verified stands for nothing.
std::vector<std::uint64_t> superfluous(const std::vector<Candidate>& candidates, const Kept& kept,
                                       std::optional<std::uint64_t> resumed_from);

}  // namespace knead::checkpoint
