#pragma once

#include <functional>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Does some of a job's work. Where that runs out of memory, the error (exit code 5) also says how
/// much the job itself holds: weights, their gradients, what the optimizer remembers, averages.
void with_memory_told(const Job& job, const std::function<void()>& work);

}  // namespace knead::engine
