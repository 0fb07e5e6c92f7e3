#include "runner/engine/train/equal_state.h"

#include <fmt/format.h>

#include "runner/engine/tensor/tensor_bytes.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Adds tensors to a digest. `memory`: that of their copies in checkpoints.
void add(checkpoint::TensorDigest& digest, const char* file, const NamedTensors& tensors,
         std::pmr::memory_resource* memory) {
  for (const NamedTensor& tensor : tensors) digest_bytes(tensor, file, digest, memory);
}

/// Adds the state that follows the parameters which this rank updates.
void add_state(checkpoint::TensorDigest& digest, const Owners& owners) {
  add(digest, "optimizer", owners.optimizer.state(), owners.optimizer.memory_for_copies());
  if (owners.average && owners.average->count() > 0)
    add(digest, "average", owners.average->state(), std::pmr::get_default_resource());
}

/// Returns whether a parameter is whole on each rank between updates.
bool is_whole(const at::Tensor& parameter) {
  return parameter.storage().nbytes() >= static_cast<std::size_t>(parameter.nbytes());
}

/// Returns the digest of what all ranks must have.
std::string digest_of_all(const Owners& owners, bool is_divided) {
  checkpoint::TensorDigest digest;
  for (const NamedTensor& parameter : owners.model.parameters()) {
    if (is_whole(parameter.tensor))
      add(digest, "model", {parameter}, std::pmr::get_default_resource());
  }
  if (!is_divided) add_state(digest, owners);
  return digest.text();
}

/// Returns the digest of what only the ranks of one shard must have.
std::string digest_of_shard(const Owners& owners, const parallel::Shards& shards) {
  checkpoint::TensorDigest digest;
  add(digest, "model", shards.pieces(), owners.optimizer.memory_for_copies());
  add_state(digest, owners);
  return digest.text();
}

/// Throws knead::Error if a rank has another digest than its peer. Rank r is compared with rank r
/// modulo `shards`.
void compare(const std::vector<std::string>& digests, std::size_t shards, std::uint64_t step) {
  for (std::size_t rank = 0; rank < digests.size(); ++rank) {
    if (digests[rank] == digests[rank % shards]) continue;
    throw Error(fmt::format("rank {} has other weights than rank {} after step {}, although both "
                            "made the same updates; this step is not saved",
                            rank, rank % shards, step),
                "test the memory of the machine; the same command goes on from the last checkpoint",
                Exit::training_failed);
  }
}

}  // namespace

void expect_equal_state(const Owners& owners, parallel::Group& group,
                        const parallel::Shards* shards) {
  compare(group.gather(digest_of_all(owners, shards != nullptr)), 1, owners.progress.step);
  // With a single replica nobody holds the same shard.
  if (!shards || shards->shards() == group.ranks()) return;
  compare(group.gather(digest_of_shard(owners, *shards)),
          static_cast<std::size_t>(shards->shards()), owners.progress.step);
}

}  // namespace knead::engine
