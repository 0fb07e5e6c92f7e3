#include "runner/engine/train/snapshot.h"

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/engine/train/parts.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

using checkpoint::kAverageFile;
using checkpoint::kModelFile;
using checkpoint::kOptimizerFile;
using checkpoint::Part;
using checkpoint::Snapshot;
using checkpoint::TensorDigest;

}  // namespace

Owners owners_of(const Trained& trained, run::Progress& progress) {
  return {.model = *trained.model,
          .optimizer = *trained.optimizer,
          .progress = progress,
          .average = trained.average.get()};
}

Part model_part(const model::Model& model, TensorDigest* digest,
                std::pmr::memory_resource* memory) {
  Part part = part_of(kModelFile, weights_of(model), digest, memory);
  part.metadata["format"] = "pt";  // without it transformers refuses a file with metadata
  for (const model::Alias& alias : model.aliases()) part.metadata["alias:" + alias.name] = alias.of;
  return part;
}

Snapshot take_snapshot(const Owners& owners, const track::Positions& positions,
                       const std::vector<std::string>& generators, nlohmann::json facts) {
  TensorDigest digest;
  Snapshot snapshot;
  snapshot.step = owners.progress.step;
  auto* const memory = owners.optimizer.memory_for_copies();
  snapshot.parts.push_back(model_part(owners.model, &digest, memory));
  snapshot.parts.push_back(part_of(kOptimizerFile, owners.optimizer.state(), &digest, memory));
  if (owners.average && owners.average->count() > 0)
    snapshot.parts.push_back(part_of(kAverageFile, owners.average->state(), &digest, memory));
  add_kept(owners.model, snapshot.parts, digest);
  snapshot.tensors = digest.text();
  snapshot.state = state_of(owners, positions, generators);
  snapshot.facts = std::move(facts);
  return snapshot;
}

int ranks_of(const Snapshot& snapshot) {
  const auto generators = snapshot.state.find("generators");
  return generators == snapshot.state.end() ? 1 : static_cast<int>(generators->size());
}

void restore_snapshot(const Owners& owners, const Snapshot& snapshot, const parallel::Group& group,
                      std::uint64_t seed) {
  restore_part(find_part(snapshot, kModelFile), weights_of(owners.model));
  // After the weights, so that attributes which list tensors share memory with them again.
  restore_kept(owners.model, snapshot);
  owners.optimizer.restore(tensors_in(snapshot, kOptimizerFile));
  if (owners.average)
    owners.average->restore(tensors_in(snapshot, kAverageFile),
                            snapshot.state.at("averaged").get<std::uint64_t>());
  owners.progress = run::progress_from(snapshot.state.at("progress"));
  restore_generators(snapshot, group, seed);
}

track::Positions positions_in(const Snapshot& snapshot) {
  return snapshot.state.at("journals").get<track::Positions>();
}

}  // namespace knead::engine
