#pragma once

#include <cstdint>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// Where the time of one step went, in seconds.
struct StepTime {
  double data = 0;     // waiting for the batch
  double forward = 0;  // the loss with it
  double backward = 0;
  double step = 0;  // all else: the norm of the gradients, clipping, the optimizer, averages
  double whole = 0;
  std::uint64_t samples = 0;
};

struct Bench {
  std::vector<StepTime> steps;  // those that count, in their order
  std::uint64_t first = 0;      // steps before them, which were warming up
  std::int64_t memory = 0;      // the most bytes of tensors at once
};

/// Makes the updates of a job that nothing has used before, by the code of a run, for some seconds,
/// without evaluations, reports and checkpoints. At least 20 steps count, 2,000 at the most; the
/// recipe's length is no limit. Gives `warn` what a run would say. Throws as a run would.
Bench bench(Job& job, double seconds, const track::Warn& warn);

}  // namespace knead::engine
