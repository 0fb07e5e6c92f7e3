#pragma once

#include <cstdint>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// Splits the time of one step into its parts, in seconds.
struct StepTime {
  double data = 0;     // waiting for the batch
  double forward = 0;  // with the loss
  double backward = 0;
  double step = 0;            // the rest: gradient norm, clipping, optimizer, averages
  double whole = 0;           // from the end of the step before
  std::uint64_t samples = 0;  // in the step
};

/// Holds the result of a benchmark.
struct Bench {
  std::vector<StepTime> steps;  // the counted steps, in order
  std::uint64_t first = 0;      // warm-up steps before them, which are not counted
  std::int64_t memory = 0;      // peak bytes of the tensors that the warm-up allocated
};

/// Makes updates of a job with the code of a run for about `seconds`, without evaluations, reports
/// and checkpoints. Counts 20 to 2,000 steps; the recipe's length does not limit them. The job must
/// be unused. Passes the warnings of a run to `warn`. Throws what a run throws.
Bench bench(Job& job, double seconds, const track::Warn& warn);

}  // namespace knead::engine
