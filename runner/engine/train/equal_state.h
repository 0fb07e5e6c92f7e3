#pragma once

#include "runner/engine/parallel/shards.h"
#include "runner/engine/train/snapshot.h"

namespace knead::engine {

/// Compares the parameters, the optimizer and the averages of ranks that must have the same,
/// because they make the same updates, by their digests: of all ranks, or, if they hold `shards`,
/// the whole parameters of all ranks and the pieces of ranks that hold the same shard. All ranks
/// must call it; each reads its own state once. Throws knead::Error, which names the first rank
/// whose state differs, and the rank from which it does.
void expect_equal_state(const Owners& owners, parallel::Group& group,
                        const parallel::Shards* shards);

}  // namespace knead::engine
