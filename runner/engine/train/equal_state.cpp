#include "runner/engine/train/equal_state.h"

#include <fmt/format.h>

#include "runner/engine/tensor/tensor_bytes.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

std::string digest_of(const Owners& owners) {
  checkpoint::TensorDigest digest;
  const auto add = [&digest](const char* file, const NamedTensors& tensors) {
    for (const NamedTensor& tensor : tensors) copy_bytes(tensor, file, &digest);
  };
  add("model", owners.model.parameters());
  add("optimizer", owners.optimizer.state());
  if (owners.average && owners.average->count() > 0) add("average", owners.average->state());
  return digest.text();
}

}  // namespace

void expect_equal_state(const Owners& owners, parallel::Group& group) {
  const std::vector<std::string> digests = group.gather(digest_of(owners));
  for (std::size_t rank = 1; rank < digests.size(); ++rank) {
    if (digests[rank] == digests[0]) continue;
    throw Error(
        fmt::format("rank {} has other weights than rank 0 after step {}, although both made "
                    "the same updates; this step is not saved",
                    rank, owners.progress.step),
        "test the memory of the machine; the same command goes on from the last checkpoint",
        Exit::training_failed);
  }
}

}  // namespace knead::engine
