#pragma once

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/optimize/average.h"
#include "runner/engine/optimize/optimizer.h"
#include "runner/run/progress.h"
#include "runner/track/tracker.h"

namespace knead::engine {

inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";
inline constexpr const char* kAverageFile = "average.safetensors";
inline constexpr const char* kBuffersFile = "buffers.safetensors";  // those that are not persistent
inline constexpr const char* kAttributesFile = "attributes.safetensors";  // kept beside buffers

/// What owns the state of a run. Whoever is in here is saved, restored and digested.
struct Owners {
  model::Model& model;
  optimize::Optimizer& optimizer;
  Progress& progress;
  optimize::Average* average;  // null where the recipe has none
};

/// A copy of the whole state, that of the random number generator with it.
checkpoint::Snapshot take_snapshot(const Owners& owners, const track::Positions& positions,
                                   nlohmann::json facts);

/// The weights and persistent buffers of a model as a file holds them: tied weights once, their
/// other names in the metadata.
checkpoint::Part model_part(const model::Model& model, checkpoint::TensorDigest* digest);

/// Puts back what take_snapshot() took, the generator last. Throws knead::Error where the snapshot
/// is not one of this model and optimizer.
void restore_snapshot(const Owners& owners, const checkpoint::Snapshot& snapshot);

/// The weights and persistent buffers that are evaluated and exported: averaged weights where the
/// snapshot has them. Throws knead::Error where it has no weights.
checkpoint::Part evaluated_part(const checkpoint::Snapshot& snapshot);

/// Only weights and buffers, and averaged weights where the snapshot has them: for a model that is
/// not trained on.
void restore_evaluated_weights(model::Model& model, const checkpoint::Snapshot& snapshot);

/// Where the journals ended.
track::Positions positions_in(const checkpoint::Snapshot& snapshot);

}  // namespace knead::engine
