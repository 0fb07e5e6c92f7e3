#pragma once

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/job/job.h"
#include "runner/run/progress.h"
#include "runner/track/tracker.h"

namespace knead::engine {

/// References the objects that own the state of a run. Their state is saved, restored and digested.
/// Borrowed for one call; the generators are process-wide and not listed.
struct Owners {
  model::Model& model;
  optimize::Optimizer& optimizer;
  run::Progress& progress;
  optimize::Average* average;  // null if the recipe has no averages
};

/// Returns the owners of the state of a run that trains a job. The result refers to both arguments.
Owners owners_of(const Trained& trained, run::Progress& progress);

/// Copies the whole state of a run to host memory, including the random number generators, the ends
/// of the journals (`positions`) and the facts for the manifest. `generators` holds the states of
/// all ranks by rank, as GeneratorState::text(); empty for a run on one rank. Waits for the device;
/// training may go on when it returns. All updates must be settled before. Throws knead::Error for
/// a tensor that no file can hold; std::bad_alloc or LibTorch's error if memory for the copy is
/// missing.
checkpoint::Snapshot take_snapshot(const Owners& owners, const track::Positions& positions,
                                   const std::vector<std::string>& generators,
                                   nlohmann::json facts);

/// Copies the weights and persistent buffers of a model into the form of model.safetensors: tied
/// weights once, their aliases in the metadata, "alias:head.weight" → "token.weight". Adds each
/// tensor to `digest` unless it is null. The copies lie in `memory`.
checkpoint::Part model_part(const model::Model& model, checkpoint::TensorDigest* digest,
                            std::pmr::memory_resource* memory);

/// Restores the state that take_snapshot() copied, the generators last. A rank takes the generators
/// that it had; if the snapshot is of another number of ranks, those of rank 0 go on, and each
/// other rank has new ones, which follow from `seed`, the step and the rank. Throws knead::Error if
/// the snapshot belongs to another model or optimizer; the owners may then hold a part of it, and
/// the run must end.
void restore_snapshot(const Owners& owners, const checkpoint::Snapshot& snapshot,
                      const parallel::Group& group, std::uint64_t seed);

/// Returns how many ranks made a snapshot.
int ranks_of(const checkpoint::Snapshot& snapshot);

/// Returns the lengths of the journals at the time of the snapshot, to which a resumed run cuts
/// them back.
track::Positions positions_in(const checkpoint::Snapshot& snapshot);

}  // namespace knead::engine
