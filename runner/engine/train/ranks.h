#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/job/job.h"
#include "runner/engine/train/run_facts.h"
#include "runner/plan/evaluations.h"

namespace knead::engine {

// These functions make the ranks of a run agree before its first step. Every rank must call those
// that take a group which is not const, in the same order. They do nothing for a single rank.

/// Returns the name of the machine of this rank.
std::string name_of_machine();

/// Throws knead::Error if a model contains a module that several ranks would train otherwise than
/// PyTorch does.
void expect_trainable(const model::Model& model, const parallel::Group& group);

/// Returns the step of the checkpoint that rank 0 resumes from; std::nullopt if the run begins.
std::optional<std::uint64_t> agree_on_checkpoint(std::optional<std::uint64_t> step,
                                                 parallel::Group& group);

/// Gives each rank the snapshot that rank 0 resumes from, which alone reads the run's folder: other
/// machines may not see it, or see an older one. `own` is null for the other ranks. Returns an
/// empty snapshot on rank 0.
checkpoint::Snapshot share_snapshot(const checkpoint::Snapshot* own, parallel::Group& group);

/// Compares recipe, model, data and execution of all ranks. Throws knead::Error, which names a rank
/// and its machine and what differs there, if a rank would train something else than rank 0.
void expect_equal_facts(const Facts& facts, parallel::Group& group);

/// Compares the recipes of all ranks. Throws knead::Error, which names a rank and its machine and
/// the first line of the rendered recipe that differs there.
void expect_equal_recipes(const schema::Node& tree, parallel::Group& group);

/// Returns a sentence for the user if a checkpoint was saved by another number of ranks, else
/// nothing.
std::vector<std::string> note_other_ranks(int saved, const parallel::Group& group);

/// Gives each rank the weights and buffers of rank 0, which has drawn, loaded or restored them.
void copy_weights_from_first(const model::Model& model, parallel::Group& group);

/// Makes the weights of all ranks equal if the run begins, divides the parameters among them if the
/// recipe says so, and keeps the optimizer's state where it says. A run that resumes restores its
/// state after it.
void begin_on_ranks(Job& job, Start start);

/// Returns the evaluations that rank 0 knows of.
plan::Evaluations agree_on_evaluations(const plan::Evaluations& evaluations,
                                       parallel::Group& group);

/// Seeds the default generators of a rank that begins a run, for dropout: each rank draws other
/// numbers.
void seed_for_dropout(std::uint64_t seed, const parallel::Group& group);

}  // namespace knead::engine
