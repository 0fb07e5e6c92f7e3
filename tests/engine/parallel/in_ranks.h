#pragma once

#include <functional>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel::tests {

/// Calls `work` on several threads at once, each as one rank of a group over a new rendezvous file.
/// Rethrows the exception of the lowest rank that threw one. Assertions of Catch2 belong to the
/// calling thread: `work` stores what it has seen.
void in_ranks(int ranks, const std::function<void(Group& group)>& work, double timeout = 60);

}  // namespace knead::engine::parallel::tests
