#pragma once

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/job/job.h"
#include "runner/run/progress.h"
#include "runner/track/tracker.h"

namespace knead::engine {

/// References the objects that own the state of a run. Their state is saved, restored and digested.
struct Owners {
  model::Model& model;
  optimize::Optimizer& optimizer;
  run::Progress& progress;
  optimize::Average* average;  // null if the recipe has no averages
};

/// Returns the owners of the state of a run that trains a job.
Owners owners_of(const Trained& trained, run::Progress& progress);

/// Copies the whole state of a run to host memory, including the random number generators, the ends
/// of the journals (`positions`) and the facts for the manifest.
checkpoint::Snapshot take_snapshot(const Owners& owners, const track::Positions& positions,
                                   nlohmann::json facts);

/// Copies the weights and persistent buffers of a model into the form of model.safetensors: tied
/// weights once, their aliases in the metadata. Adds each tensor to `digest` unless it is null.
checkpoint::Part model_part(const model::Model& model, checkpoint::TensorDigest* digest);

/// Restores the state that take_snapshot() copied, the generators last. Throws knead::Error if the
/// snapshot belongs to another model or optimizer.
void restore_snapshot(const Owners& owners, const checkpoint::Snapshot& snapshot);

/// Returns the weights and persistent buffers that are evaluated and exported: averaged weights if
/// the snapshot has them, raw ones otherwise. Throws knead::Error if the snapshot has no weights.
checkpoint::Part evaluated_part(const checkpoint::Snapshot& snapshot);

/// Restores weights, buffers and attributes of a model that is not trained further; takes averaged
/// weights if the snapshot has them. Throws knead::Error if the snapshot belongs to another model.
void restore_evaluated_weights(model::Model& model, const checkpoint::Snapshot& snapshot);

/// Returns the lengths of the journals at the time of the snapshot.
track::Positions positions_in(const checkpoint::Snapshot& snapshot);

}  // namespace knead::engine
