#pragma once

#include <string>

#include "runner/engine/job/job.h"

namespace knead::engine {

/// Returns the lines of the summary that need the model and the data: initial weights (only if the
/// recipe names weights and the run begins), parameters, samples of each set, the range of tokens
/// (only with a tokenizer) and steps. Each line ends with a newline. Computes nothing with the
/// model; `knead run` prints the text on standard error before the first step.
std::string measure(const Job& job);

}  // namespace knead::engine
