#pragma once

#include <optional>

#include "runner/front/engine.h"
#include "runner/launch/held_signals.h"
#include "runner/launch/rank_environment.h"

namespace knead::front {

/// Returns which rank torchrun, srun or mpirun has made of this process, by the environment;
/// std::nullopt if none of them started it, or if they started no other: knead then starts the
/// ranks.
std::optional<launch::RankEnvironment> launched_rank();

/// Replaces this process by the engine as the rank that another launcher has started. Throws
/// knead::Error if the numbers of the rank do not fit together or not to the recipe, if nothing
/// says where the ranks meet, and as become_engine().
[[noreturn]] void become_launched_rank(const launch::RankEnvironment& rank, const EngineCall& call,
                                       const launch::HeldSignals& signals);

}  // namespace knead::front
