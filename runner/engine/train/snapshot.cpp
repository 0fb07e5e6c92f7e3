#include "runner/engine/train/snapshot.h"

#include <map>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

using checkpoint::kAttributesFile;
using checkpoint::kAverageFile;
using checkpoint::kBuffersFile;
using checkpoint::kModelFile;
using checkpoint::kOptimizerFile;
using checkpoint::Part;
using checkpoint::Snapshot;
using checkpoint::TensorDigest;

NamedTensors buffers_of(const model::Model& model, bool persistent) {
  NamedTensors out;
  for (const model::Buffer& buffer : model.buffers()) {
    if (buffer.persistent == persistent) out.push_back({buffer.name, buffer.tensor});
  }
  return out;
}

/// Returns the tensors of model.safetensors: parameters, then persistent buffers.
NamedTensors weights_of(const model::Model& model) {
  NamedTensors out = model.parameters();
  const NamedTensors buffers = buffers_of(model, true);
  out.insert(out.end(), buffers.begin(), buffers.end());
  return out;
}

/// Copies tensors to host memory as one file of a checkpoint, and adds them to `digest` unless it
/// is null.
Part part_of(const char* file, const NamedTensors& tensors, TensorDigest* digest) {
  Part part{file, {}, {}};
  part.tensors.reserve(tensors.size());
  for (const NamedTensor& tensor : tensors)
    part.tensors.push_back(copy_bytes(tensor, file, digest));
  return part;
}

/// Returns a part of a snapshot by its file name. A missing file is an empty part, because files
/// without tensors are not written.
const Part& find_part(const Snapshot& snapshot, const char* file) {
  static const Part none;
  for (const Part& part : snapshot.parts) {
    if (part.file == file) return part;
  }
  return none;
}

NamedTensors tensors_in(const Snapshot& snapshot, const char* file) {
  NamedTensors out;
  for (const files::TensorBytes& saved : find_part(snapshot, file).tensors)
    out.push_back({saved.name, to_tensor(saved)});
  return out;
}

/// Copies the tensors of a part into `tensors` by their names. Throws knead::Error if the names of
/// the two are not the same.
void restore_part(const Part& part, const NamedTensors& tensors) {
  std::map<std::string, const files::TensorBytes*> saved;
  for (const files::TensorBytes& tensor : part.tensors) saved[tensor.name] = &tensor;
  for (const NamedTensor& tensor : tensors) {
    const auto found = saved.find(tensor.name);
    if (found == saved.end())
      throw Error(fmt::format("the checkpoint has no '{}'", tensor.name),
                  "it belongs to another model");
    copy_into(tensor.tensor, *found->second);
    saved.erase(found);
  }
  if (saved.empty()) return;
  throw Error(
      fmt::format("the model has no '{}', which the checkpoint holds", saved.begin()->first),
      "it belongs to another model");
}

/// Restores the state of a model besides its weights: non-persistent buffers and attributes.
void restore_kept(model::Model& model, const Snapshot& snapshot) {
  restore_part(find_part(snapshot, kBuffersFile), buffers_of(model, false));
  model::Attributes attributes;
  if (const auto values = snapshot.state.find("attributes"); values != snapshot.state.end())
    attributes.values = *values;
  for (const files::TensorBytes& saved : find_part(snapshot, kAttributesFile).tensors)
    attributes.tensors.push_back({saved.name, to_tensor(saved)});
  model.set_attributes(attributes);
}

}  // namespace

Owners owners_of(const Trained& trained, run::Progress& progress) {
  return {.model = *trained.model,
          .optimizer = *trained.optimizer,
          .progress = progress,
          .average = trained.average.get()};
}

Part model_part(const model::Model& model, TensorDigest* digest) {
  Part part = part_of(kModelFile, weights_of(model), digest);
  for (const model::Alias& alias : model.aliases()) part.metadata["alias:" + alias.name] = alias.of;
  return part;
}

Snapshot take_snapshot(const Owners& owners, const track::Positions& positions,
                       const std::vector<std::string>& generators, nlohmann::json facts) {
  TensorDigest digest;
  Snapshot snapshot;
  snapshot.step = owners.progress.step;
  snapshot.parts.push_back(model_part(owners.model, &digest));
  snapshot.parts.push_back(part_of(kOptimizerFile, owners.optimizer.state(), &digest));
  if (owners.average && owners.average->count() > 0)
    snapshot.parts.push_back(part_of(kAverageFile, owners.average->state(), &digest));
  const NamedTensors buffers = buffers_of(owners.model, false);
  if (!buffers.empty()) snapshot.parts.push_back(part_of(kBuffersFile, buffers, &digest));
  const model::Attributes attributes = owners.model.attributes();
  if (!attributes.tensors.empty())
    snapshot.parts.push_back(part_of(kAttributesFile, attributes.tensors, &digest));
  snapshot.tensors = digest.text();
  snapshot.state = {{"progress", to_json(owners.progress)},
                    {"attributes", attributes.values},
                    {"generator", GeneratorState().text()},
                    {"journals", positions}};
  if (!generators.empty()) snapshot.state["generators"] = generators;
  if (owners.average) snapshot.state["averaged"] = owners.average->count();
  snapshot.facts = std::move(facts);
  return snapshot;
}

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

int ranks_of(const Snapshot& snapshot) {
  const auto generators = snapshot.state.find("generators");
  return generators == snapshot.state.end() ? 1 : static_cast<int>(generators->size());
}

namespace {

/// Restores the random number generators of this rank.
void restore_generators(const Snapshot& snapshot, const parallel::Group& group,
                        std::uint64_t seed) {
  const auto rank = static_cast<std::uint32_t>(group.rank());
  if (!group.is_alone() && ranks_of(snapshot) == group.ranks()) {
    GeneratorState(snapshot.state.at("generators").at(rank).get<std::string>()).restore();
  } else if (group.is_first()) {
    GeneratorState(snapshot.state.at("generator").get<std::string>()).restore();
  } else {
    seed_generator(plan::random_bits(seed, plan::Purpose::dropout, rank, snapshot.step));
  }
}

}  // namespace

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
