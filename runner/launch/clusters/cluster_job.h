#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knead::launch {

/// Names an environment variable that the recipe of a run or sweep refers to.
struct ClusterVariable {
  std::string name;
  /// True if the variable is not set where knead reads the recipe, so that the recipe has a
  /// default for it. The run can then do without it.
  bool has_default = false;
};

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
  /// Lists the environment variables that the recipe reads.
  std::vector<ClusterVariable> variables{};
};

/// Describes a sweep for the system of a cluster that is to run its shards.
struct ClusterSweep {
  /// Name of the sweep: letters, digits, '.', '_' and '-'.
  std::string name;
  /// The words behind `knead sweep`: the recipe and its overrides, as a shell would give them.
  std::vector<std::string> words{};
  /// How many trials there are, all seeds counted; at least 1.
  std::int64_t trials = 1;
  /// Value of distributed.ranks, or 1. A trial runs on one node.
  std::int64_t ranks = 1;
  /// Value of threads: what each rank computes with. Absent if the recipe leaves it to knead.
  std::optional<std::int64_t> threads{};
  /// True for device: cuda. Each rank then needs a GPU.
  bool is_cuda = false;
  /// Lists the environment variables that the recipe reads.
  std::vector<ClusterVariable> variables{};

  /// Returns how many shards the sweep is cut into unless somebody asks for another number: one for
  /// each trial, at most 64. Identity decides which trials a shard has, so that shards differ in
  /// size: many small ones are spread more evenly than a few large ones.
  std::int64_t shards() const { return std::min<std::int64_t>(trials, 64); }
  /// Returns how many of the shards run at once unless somebody asks for more: at most 8.
  std::int64_t shards_at_once() const { return std::min<std::int64_t>(trials, 8); }
  /// Returns how many processors a trial needs; std::nullopt if the recipe does not say.
  std::optional<std::int64_t> processors() const {
    if (!threads && ranks == 1) return std::nullopt;
    return ranks * threads.value_or(1);
  }
};

/// How many seconds a cluster gives a run or a trial to finish its step and save a checkpoint, from
/// the signal to stop until it is killed.
inline constexpr int kSecondsToSave = 300;

}  // namespace knead::launch
