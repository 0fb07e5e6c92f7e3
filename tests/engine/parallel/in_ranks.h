#pragma once

#include <functional>
#include <string>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel::tests {

/// Calls `work` on several threads at once, each as one rank of a group over a new rendezvous file;
/// over the network at `rendezvous` if that is not empty.
/// Rethrows the exception of the lowest rank that threw one. Assertions of Catch2 belong to the
/// calling thread: `work` stores what it has seen.
void in_ranks(int ranks, const std::function<void(Group& group)>& work, double timeout = 60,
              const std::string& rendezvous = "");

/// Does so with what a rank connects by, in place of a group.
void as_members(int ranks, double timeout,
                const std::function<void(const Membership& membership)>& work,
                const std::string& rendezvous = "");

}  // namespace knead::engine::parallel::tests
