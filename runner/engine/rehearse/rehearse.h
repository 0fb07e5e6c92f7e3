#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/tensor/tensor_memory.h"

namespace knead::engine {

/// Sums up the calls of a module in the first micro-batch.
struct ModuleUse {
  int calls = 0;
  std::string output;  // the shape of the last call's output: "(32, 10)"
  double work = 0;     // multiplications and additions of all its forward calls
};

/// Lists the bytes of tensors by their purpose.
struct MemoryUse {
  std::int64_t parameters = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t buffers = 0;      // with their backup, from which a skipped step restores them
  std::int64_t data = 0;         // batches that are read ahead
  std::int64_t activations = 0;  // what forward keeps for backward, for one micro-batch
  std::int64_t training = 0;     // peak within a step, of all of the above
  std::int64_t evaluation = 0;   // peak within an evaluation; 0 without a validation set
  std::int64_t copy = 0;         // host copy of the state while a checkpoint is written
};

/// Holds what the first step of a run measured.
struct Rehearsal {
  std::optional<double> loss{};           // mean over the first micro-batch, if a target counts
  double gradient_norm = 0;               // of the micro-batches that were run
  std::uint64_t samples = 0;              // of the first micro-batch
  double forward_work = 0;                // of the first micro-batch
  double backward_work = 0;               // of the first micro-batch
  std::vector<std::string> unknown_work;  // operators whose work is not counted
  std::vector<ModuleUse> modules;         // in the order of Model::modules()
  MemoryUse memory;
  /// Holds the loss and the metrics of the first validation batch. It is empty without a validation
  /// set, and if no target of the batch counts.
  std::vector<std::pair<std::string, double>> evaluation{};
  std::optional<std::string> untouched{};  // a sentence about parameters without a gradient
};

/// Runs the first step of a job as training does, with at most two micro-batches, then the first
/// batch of the validation set, so that the errors of a run show before it. Changes the job's model
/// and optimizer and removes its average; the job must be unused. `memory` was created before the
/// job. Throws what a run throws.
Rehearsal rehearse(Job& job, TensorMemory& memory);

}  // namespace knead::engine
