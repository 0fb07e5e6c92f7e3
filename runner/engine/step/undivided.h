#pragma once

#include <cstdint>

#include "runner/engine/job/job.h"
#include "runner/engine/tensor/tensor_memory.h"

namespace knead::engine {

/// Returns the bytes that a rank needs whatever divides the model: what forward keeps of a
/// micro-batch for backward, two copies of the buffers, and the batches that are read ahead. Runs
/// forward and the loss of the first micro-batch once, and leaves the model and the random numbers
/// as they were. `memory`: the one of this thread if there is one, else null. Throws what a step
/// throws.
std::uint64_t undivided_bytes(Job& job, const TensorMemory* memory);

}  // namespace knead::engine
