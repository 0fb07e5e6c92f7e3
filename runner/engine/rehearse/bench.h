#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// Splits the time of one step into its parts, in seconds on the training thread. A GPU works
/// behind the host: `forward` and `backward` are then the times to queue their kernels, and the
/// wait for the device is in `step`.
struct StepTime {
  /// Time in which training waited for the batch; near 0 if the readers keep up.
  double data = 0;
  /// Time of forward and of the loss, over all micro-batches.
  double forward = 0;
  /// Time of backward, over all micro-batches.
  double backward = 0;
  /// Time in which this rank waited for the other ranks: for slower ones when its gradients were
  /// complete, and for the buffers of rank 0.
  double wait = 0;
  /// Time that adding up the gradients of all ranks took from the moment when those of the slowest
  /// were complete: the part of it that backward did not hide.
  double reduce = 0;
  /// Rest of `whole`: gradient norm, clipping, optimizer, averages.
  double step = 0;
  /// Time from the end of the step before to the end of this one; the sum of the parts.
  double whole = 0;
  /// Samples of the step; fewer in the last step of an epoch.
  std::uint64_t samples = 0;
};

/// Holds the result of a benchmark. The speed is Σ samples ÷ Σ whole over `steps`.
struct Bench {
  /// Times of the counted steps, in order; 20 to 2,000 of them.
  std::vector<StepTime> steps;
  /// Number of warm-up steps before them, which are not counted.
  std::uint64_t first = 0;
  /// Peak bytes of the tensors that the warm-up allocated, on all devices together. Parameters are
  /// not in it, because they exist before the benchmark.
  std::int64_t memory = 0;
  /// Seconds that adding up the gradients of all ranks takes while nothing else is computed, a
  /// median; 0 for a single rank.
  double reduce_alone = 0;
  /// Bytes of gradients that a rank adds to those of the others in a step; 0 for a single rank.
  std::uint64_t reduced = 0;
};

/// Returns which share of adding up the gradients was hidden behind backward, from 0 to 1: what a
/// median step did not wait for, of `reduce_alone`. Returns std::nullopt for a single rank, and if
/// a median step waited longer than that: the wait is then not of the sums alone, as for a few
/// kilobytes, which are added up before a thread has woken up.
std::optional<double> hidden_share(const Bench& bench);

/// Makes updates of a job with the code of a run for about `seconds`, without evaluations, reports
/// and checkpoints, on each of its ranks as many. Counts 20 to 2,000 steps; the recipe's length
/// does not limit them, and past its end the learning rate of the last step applies. The job must
/// be unused and cannot be trained afterwards, because its weights have changed. No other trace may
/// be recorded at the same time. Passes the warnings of a run to `warn`. Throws what a run throws.
Bench bench(Job& job, double seconds, const track::Warn& warn);

}  // namespace knead::engine
