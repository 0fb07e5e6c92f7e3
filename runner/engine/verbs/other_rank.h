#pragma once

#include <memory>

#include "runner/engine/parallel/group.h"
#include "runner/engine/verbs/call.h"
#include "schema/document/error.h"

namespace knead::engine {

/// Connects the ranks of a call, by NCCL too if they compute on GPUs. Returns when all of them are
/// connected. Throws knead::Error if NCCL is needed and not there.
std::shared_ptr<parallel::Group> join(const Call& call, const recipe::Recipe& recipe);

/// Trains a recipe as a rank other than 0: makes the same updates as rank 0, on its own share of
/// each batch, and writes nothing but a log of its own. Ends after the test set; the exports and
/// the expectations are rank 0's. Returns Exit::done or Exit::stopped. Throws as run().
Exit run_other_rank(const Call& call);

}  // namespace knead::engine
