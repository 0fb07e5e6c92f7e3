#pragma once

#include "runner/checkpoint/rank_parts.h"
#include "runner/checkpoint/tensor_reader.h"
#include "runner/engine/parallel/shards.h"
#include "runner/engine/train/snapshot.h"

namespace knead::engine {

/// Copies what this rank writes of a checkpoint when ranks hold shards of the state: the pieces of
/// its shard, whole tensors of the model so that each shard has about as many bytes, and on rank 0
/// what is not divided. Nothing on ranks of other replicas than the first. All ranks must call it,
/// with all updates settled. std::nullopt if this rank lacks memory for the copies; the others do
/// not notice that.
std::optional<checkpoint::RankParts> take_rank_parts(const Owners& owners,
                                                     parallel::Shards& shards);

/// Restores the state of a run whose ranks hold shards, from a checkpoint of any number of ranks:
/// each rank reads what it needs. `small`: the snapshot without parts that rank 0 has read. All
/// ranks must call it. Throws knead::Error as restore_snapshot().
void restore_shards(const Owners& owners, parallel::Shards& shards, const parallel::Group& group,
                    const checkpoint::TensorReader& reader, const checkpoint::Snapshot& small,
                    std::uint64_t seed);

/// Restores weights, buffers and attributes of a model that is not trained further, a tensor at a
/// time; takes averaged weights if the checkpoint has them. `shards`: those of its ranks, all of
/// which must call it; null: this rank has all parameters. Throws knead::Error as
/// restore_evaluated_weights().
void restore_evaluated_pieces(model::Model& model, parallel::Shards* shards,
                              const checkpoint::TensorReader& reader,
                              const checkpoint::Snapshot& small);

}  // namespace knead::engine
