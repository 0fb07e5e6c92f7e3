#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/tensor/tensor_memory.h"

namespace knead::engine {

/// What the calls of a module came to within the first micro-batch.
struct ModuleUse {
  int calls = 0;
  std::string output;  // the shape of what the last one gave: "(32, 10)"
  double work = 0;     // multiplications and additions of its forward, all calls together
};

/// Bytes of tensors, by what they are for.
struct MemoryUse {
  std::int64_t parameters = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t buffers = 0;      // twice: a step that is left out puts them back
  std::int64_t data = 0;         // batches that are read ahead
  std::int64_t activations = 0;  // what forward keeps for backward, of one micro-batch
  std::int64_t training = 0;     // the most at once in a step, all of the above that is then there
  std::int64_t evaluation = 0;   // the most at once in an evaluation; 0 without a validation set
  std::int64_t copy = 0;         // of a checkpoint that is being written: not tensors, but memory
};

/// What the first step of a run came to.
struct Rehearsal {
  double loss = 0;                        // of the first micro-batch
  double gradient_norm = 0;               // of the step, as far as it was run
  std::uint64_t samples = 0;              // of the first micro-batch
  double forward_work = 0;                // of the first micro-batch
  double backward_work = 0;               // of the first micro-batch
  std::vector<std::string> unknown_work;  // operators that may be much work
  std::vector<ModuleUse> modules;         // by their places in Model::modules()
  MemoryUse memory;
  std::vector<std::pair<std::string, double>> evaluation{};  // of the first batch to validate
  std::optional<std::string> untouched{};  // a sentence about parameters without a gradient
};

/// Runs the first step of a job as training would, two of its micro-batches at the most, then the
/// first batch of the validation set: whatever a run could not do is found here. Changes the job's
/// model and optimizer, which nothing else may have used before. `memory`: from before the job was
/// made. Throws as a run would.
Rehearsal rehearse(Job& job, TensorMemory& memory);

}  // namespace knead::engine
