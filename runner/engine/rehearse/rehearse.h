#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/tensor/tensor_memory.h"

namespace knead::engine {

/// Sums up the calls of a module in the first micro-batch. A recomputation in backward is not a
/// call.
struct ModuleUse {
  /// Number of forward calls; 0 for a module that forward does not reach, and for a list of
  /// modules.
  int calls = 0;
  /// Shape of the last call's output, "(32, 10)"; for a collection that of its first tensor and the
  /// number of other items, "(32, 10) and 2 more"; LibTorch's word for the kind of a value without
  /// tensors, "Int"; empty for None or without a call.
  std::string output;
  /// Multiplications and additions of all its forward calls, submodules included.
  double work = 0;
};

/// Lists the bytes of tensors by their purpose, on all devices together. Memory that LibTorch's
/// allocator caches or that is not a tensor's is not in them.
struct MemoryUse {
  /// Bytes of all parameters, tied weights once.
  std::int64_t parameters = 0;
  /// Bytes of all gradients after backward; smaller than `parameters` if some are frozen or unused.
  std::int64_t gradients = 0;
  /// Bytes of the optimizer's state after its first update.
  std::int64_t optimizer = 0;
  /// Bytes of the buffers, twice: a backup restores them if a step is skipped.
  std::int64_t buffers = 0;
  /// Bytes of the batches that are read ahead.
  std::int64_t data = 0;
  /// Bytes that forward keeps for backward, for one micro-batch.
  std::int64_t activations = 0;
  /// Peak within a step, of all of the above.
  std::int64_t training = 0;
  /// Peak within an evaluation, the training state included; 0 without a validation set.
  std::int64_t evaluation = 0;
  /// Bytes of the host copy of parameters, buffers and optimizer while a checkpoint is written.
  std::int64_t copy = 0;
};

/// Holds what the first step of a run measured. The loss, the work and the modules are those of the
/// first micro-batch; the norm and the memory cover all micro-batches that were run.
struct Rehearsal {
  /// Mean loss of the first micro-batch; std::nullopt if no target of it counts.
  std::optional<double> loss{};
  /// Norm of the mean gradient of the micro-batches that were run, before clipping; 0 if no target
  /// counts.
  double gradient_norm = 0;
  /// Samples of the first micro-batch; the divisor of all work per sample.
  std::uint64_t samples = 0;
  /// Multiplications and additions of forward and the loss for the first micro-batch.
  double forward_work = 0;
  /// Multiplications and additions of backward for the first micro-batch.
  double backward_work = 0;
  /// Names of operators that may take much work and are in none of the counts; empty if there are
  /// none.
  std::vector<std::string> unknown_work;
  /// Use of each module, in the order of Model::modules().
  std::vector<ModuleUse> modules;
  MemoryUse memory;
  /// Holds the loss and the metrics of the first validation batch. It is empty without a validation
  /// set, and if no target of the batch counts.
  std::vector<std::pair<std::string, double>> evaluation{};
  std::optional<std::string> untouched{};  // a sentence about parameters without a gradient
};

/// Runs the first step of a job as training does, with at most two micro-batches, then the first
/// batch of the validation set, so that the errors of a run show before it. Two micro-batches
/// suffice, because the second one shows the memory of all further ones: gradients and activations
/// together.
///
/// Changes the job's model and optimizer and removes its average; the job must be unused and cannot
/// be trained afterwards. Chooses `threads` if the recipe leaves them open. `memory` was created on
/// this thread before the job; its peak is reset. Reads data, writes no file. Throws what a run
/// throws.
Rehearsal rehearse(Job& job, TensorMemory& memory);

}  // namespace knead::engine
