#pragma once

#include <functional>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Calls `work`. If it runs out of memory, the error (exit code 5) also lists the bytes that the
/// trained model holds: parameters, gradients, optimizer state and averaged weights, each if larger
/// than 1 MiB. A failure of the GPU becomes a knead::Error; all other exceptions pass unchanged.
/// `trained` is read only then.
void with_memory_report(const Trained& trained, const std::function<void()>& work);

}  // namespace knead::engine
