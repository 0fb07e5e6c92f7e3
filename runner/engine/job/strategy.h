#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "runner/engine/job/job.h"
#include "runner/plan/rank_memory.h"

namespace knead::engine {

/// Returns the bytes of a job's model and of what an update keeps for it. The job must not be
/// divided. Reads shapes only, so that it does not know what no strategy divides.
plan::ModelBytes model_bytes(const Job& job);

/// Returns how a recipe divides a model.
plan::Cutting cutting_of(const recipe::Recipe& recipe);

/// Returns the bytes that a rank may hold: distributed.memory, or the memory of the machine divided
/// by the ranks; std::nullopt on a GPU without distributed.memory.
std::optional<double> memory_of_rank(const recipe::Recipe& recipe);

/// Returns the strategy that distributed.strategy: auto stands for, with a model of so many bytes.
/// Throws knead::Error if the memory of a rank is not known.
plan::Choice chosen_strategy(const Job& job, const plan::ModelBytes& model);

/// Chooses distributed.strategy in the job's recipe if it is auto; rank 0 decides. Returns what the
/// ranks divide, and why if it was chosen: "zero2, 2 replicas". Returns an empty text for
/// data_parallel that the recipe says, and for a single rank. Throws knead::Error as
/// chosen_strategy() and if the replicas do not divide the ranks. All ranks must call it, before
/// divide(). `undivided` measures the bytes that no strategy divides: called on rank 0, for auto.
std::string choose_strategy(Job& job, const std::function<std::uint64_t()>& undivided);

}  // namespace knead::engine
