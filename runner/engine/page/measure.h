#pragma once

#include <string>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Returns the lines of the summary that need the model and the data: initial weights, parameters,
/// samples, vocabulary and steps.
std::string measure(const Job& job);

}  // namespace knead::engine
