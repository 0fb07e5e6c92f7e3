#pragma once

#include "runner/engine/train/snapshot.h"

namespace knead::engine {

/// Compares the parameters, the optimizer and the averages of all ranks, which make the same
/// updates, by their digests. All ranks must call it; each reads its own state once. Throws
/// knead::Error, which names the first rank whose state differs from that of rank 0.
void expect_equal_state(const Owners& owners, parallel::Group& group);

}  // namespace knead::engine
