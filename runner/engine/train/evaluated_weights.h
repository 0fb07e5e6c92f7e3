#pragma once

#include <cstdint>
#include <filesystem>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/shards.h"

namespace knead::engine {

// The weights of a checkpoint with which a run is evaluated, predicted from and exported: averaged
// weights if the checkpoint has them, raw ones otherwise.

/// Returns a copy of the evaluated weights and the persistent buffers. Throws knead::Error if the
/// snapshot has no weights.
checkpoint::Part evaluated_part(const checkpoint::Snapshot& snapshot);

/// Restores weights, buffers and attributes of a model that is not trained further. Throws
/// knead::Error if the snapshot belongs to another model.
void restore_evaluated_weights(model::Model& model, const checkpoint::Snapshot& snapshot);

/// Names a model that several ranks hold, or one alone.
struct EvaluatedModel {
  model::Model& model;
  /// Divides the parameters, by units of the model; null if each rank has all of them.
  parallel::Shards* shards;
  parallel::Group& group;

  /// Returns what rank 0 must read of a checkpoint for restore_on_ranks().
  checkpoint::Hold needed() const {
    return shards ? checkpoint::Hold::state : checkpoint::Hold::tensors;
  }
};

/// Restores the evaluated weights of the checkpoint that rank 0 has read, `own`, on all ranks,
/// which must call it; null on the other ranks. Ranks that divide the parameters read theirs from
/// the run's folder, else rank 0 sends what it has read. Returns the step of the checkpoint. Throws
/// as restore_evaluated_weights().
std::uint64_t restore_evaluated_on_ranks(const EvaluatedModel& evaluated,
                                         const std::filesystem::path& run_folder,
                                         const checkpoint::Snapshot* own);

}  // namespace knead::engine
