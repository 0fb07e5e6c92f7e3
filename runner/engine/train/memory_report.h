#pragma once

#include <functional>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Calls `work`. If it runs out of memory, the error (exit code 5) also lists the bytes that the
/// trained model holds: parameters, gradients, optimizer state and averaged weights.
void with_memory_report(const Trained& trained, const std::function<void()>& work);

}  // namespace knead::engine
