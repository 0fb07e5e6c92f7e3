#pragma once

#include <memory_resource>

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/train/snapshot.h"

namespace knead::engine {

// The parts of a snapshot that are copied and restored in the same way whether one rank saves the
// whole state or each a shard of it.

/// Returns the buffers of a model that are persistent, or the others.
NamedTensors buffers_of(const model::Model& model, bool persistent);

/// Returns the tensors of model.safetensors: parameters, then persistent buffers.
NamedTensors weights_of(const model::Model& model);

/// Copies tensors to `memory` as one file of a checkpoint, and adds them to `digest` unless it is
/// null.
checkpoint::Part part_of(const std::string& file, const NamedTensors& tensors,
                         checkpoint::TensorDigest* digest,
                         std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Copies the buffers of a model that are not persistent and its attributes, each as a part of
/// `parts` unless there are none, and adds them to `digest`.
void add_kept(const model::Model& model, std::vector<checkpoint::Part>& parts,
              checkpoint::TensorDigest& digest);

/// Returns the content of state.json. `generators`: as take_snapshot() gets it.
nlohmann::json state_of(const Owners& owners, const track::Positions& positions,
                        const std::vector<std::string>& generators);

/// Returns a part of a snapshot by its file name. A missing file is an empty part, because files
/// without tensors are not written.
const checkpoint::Part& find_part(const checkpoint::Snapshot& snapshot, const std::string& file);

/// Returns the tensors of a part of a snapshot, in memory of their own.
NamedTensors tensors_in(const checkpoint::Snapshot& snapshot, const std::string& file);

/// Copies the tensors of a part into `tensors` by their names. Throws knead::Error if the names of
/// the two are not the same.
void restore_part(const checkpoint::Part& part, const NamedTensors& tensors);

/// Restores the state of a model besides its weights: non-persistent buffers and attributes.
void restore_kept(model::Model& model, const checkpoint::Snapshot& snapshot);

/// Restores the random number generators of this rank, as restore_snapshot() says.
void restore_generators(const checkpoint::Snapshot& snapshot, const parallel::Group& group,
                        std::uint64_t seed);

}  // namespace knead::engine
