#pragma once

#include <string>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// What only the model and the data can tell: parameters, samples and steps, as further lines of
/// the summary.
std::string measure(const Job& job);

}  // namespace knead::engine
