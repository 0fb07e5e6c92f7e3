#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/ivalue.h>

namespace torch::jit {
struct Graph;
}

namespace knead::engine::model {

// Compiled code may loop without end, and make lists and texts of any length. So the code counts
// its steps while it runs: nodes of its graph that only count stand at the begin of each loop's
// body, and before what takes time or memory in proportion to a list or a text. A loop over tensors
// counts what is in its body once for each round: a step takes some 30 ns, and a call of an
// operator on tensors is 32 of them.

/// Adds the nodes that count to a graph that has not run.
void bound_steps(torch::jit::Graph& graph);

/// Allows the run that follows on this thread a number of steps: 8 million, which are a quarter
/// of a million calls of operators in loops, and two thousand calls more for each item of the
/// longest dimension of the inputs, over which a loop may go.
void allow_steps(const std::vector<c10::IValue>& inputs);

/// Begins the message of the exception that a counting node throws.
inline constexpr std::string_view kTooManySteps = "forward takes too many steps";

}  // namespace knead::engine::model
