#include "runner/engine/train/evaluated_weights.h"

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/engine/train/parts.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/sharded_snapshot.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

using checkpoint::kAttributesFile;
using checkpoint::kAverageFile;
using checkpoint::kBuffersFile;
using checkpoint::kModelFile;
using checkpoint::Part;
using checkpoint::Snapshot;

/// Returns the parts of a snapshot that restore_evaluated_weights() reads, and no averages.
Snapshot evaluated_only(const Snapshot& snapshot) {
  Snapshot out;
  out.step = snapshot.step;
  out.state = snapshot.state;
  out.facts = snapshot.facts;
  out.parts = {evaluated_part(snapshot), find_part(snapshot, kBuffersFile),
               find_part(snapshot, kAttributesFile)};
  return out;
}

}  // namespace

Part evaluated_part(const Snapshot& snapshot) {
  Part part = find_part(snapshot, kModelFile);
  if (part.tensors.empty())
    throw Error(fmt::format("step {} has no {}", snapshot.step, kModelFile));
  for (const files::TensorBytes& average : find_part(snapshot, kAverageFile).tensors) {
    for (files::TensorBytes& tensor : part.tensors) {
      if (tensor.name == average.name) tensor = average;
    }
  }
  return part;
}

void restore_evaluated_weights(model::Model& model, const Snapshot& snapshot) {
  restore_part(evaluated_part(snapshot), weights_of(model));
  restore_kept(model, snapshot);
}

std::uint64_t restore_evaluated_on_ranks(const EvaluatedModel& evaluated,
                                         const std::filesystem::path& run_folder,
                                         const Snapshot* own) {
  auto& [model, shards, group] = evaluated;
  if (group.is_alone()) {
    restore_evaluated_weights(model, *own);
    return own->step;
  }
  if (!shards) {
    Snapshot snapshot;
    if (own) snapshot = evaluated_only(*own);
    Snapshot received = share_snapshot(own ? &snapshot : nullptr, group);
    if (!own) snapshot = std::move(received);
    restore_evaluated_weights(model, snapshot);
    return snapshot.step;
  }
  const Snapshot received = share_snapshot(own, group);
  const Snapshot& small = group.is_first() ? *own : received;
  read_step(run_folder, small.step, [&](const checkpoint::TensorReader& reader) {
    restore_evaluated_pieces(model, shards, reader, small);
  });
  return small.step;
}

}  // namespace knead::engine
