#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knead::launch {

/// Describes a run for the system of a cluster that is to start its ranks.
struct ClusterJob {
  /// Name of the run: letters, digits, '.', '_' and '-'.
  std::string name;
  /// The words behind `knead run`: the recipe and its overrides, as a shell would give them.
  std::vector<std::string> words{};
  /// Value of distributed.ranks, or 1.
  std::int64_t ranks = 1;
  /// Value of distributed.restarts.
  std::int64_t restarts = 0;
  /// Value of threads: what each rank computes with. Absent if the recipe leaves it to knead.
  std::optional<std::int64_t> threads{};
  /// True for device: cuda. Each rank then needs a GPU.
  bool is_cuda = false;
  /// Value of train.time_limit in seconds.
  std::optional<double> time_limit{};
};

/// How many seconds a cluster gives a run to finish its step and save a checkpoint, from the signal
/// to stop until it is killed.
inline constexpr int kSecondsToSave = 300;

}  // namespace knead::launch
