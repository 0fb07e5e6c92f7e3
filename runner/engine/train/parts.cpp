#include "runner/engine/train/parts.h"

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
using checkpoint::kBuffersFile;
using checkpoint::Part;
using checkpoint::Snapshot;
using checkpoint::TensorDigest;

}  // namespace

NamedTensors buffers_of(const model::Model& model, bool persistent) {
  NamedTensors out;
  for (const model::Buffer& buffer : model.buffers()) {
    if (buffer.persistent == persistent) out.push_back({buffer.name, buffer.tensor});
  }
  return out;
}

NamedTensors weights_of(const model::Model& model) {
  NamedTensors out = model.parameters();
  const NamedTensors buffers = buffers_of(model, true);
  out.insert(out.end(), buffers.begin(), buffers.end());
  return out;
}

Part part_of(const std::string& file, const NamedTensors& tensors, TensorDigest* digest,
             std::pmr::memory_resource* memory) {
  Part part{file, {}, {}};
  part.tensors.reserve(tensors.size());
  for (const NamedTensor& tensor : tensors)
    part.tensors.push_back(copy_bytes(tensor, file, digest, memory));
  return part;
}

void add_kept(const model::Model& model, std::vector<Part>& parts, TensorDigest& digest) {
  const NamedTensors buffers = buffers_of(model, false);
  if (!buffers.empty()) parts.push_back(part_of(kBuffersFile, buffers, &digest));
  const model::Attributes attributes = model.attributes();
  if (!attributes.tensors.empty())
    parts.push_back(part_of(kAttributesFile, attributes.tensors, &digest));
}

nlohmann::json state_of(const Owners& owners, const track::Positions& positions,
                        const std::vector<std::string>& generators) {
  nlohmann::json state{{"progress", to_json(owners.progress)},
                       {"attributes", owners.model.attributes().values},
                       {"generator", GeneratorState().text()},
                       {"journals", positions}};
  if (!generators.empty()) state["generators"] = generators;
  if (owners.average) state["averaged"] = owners.average->count();
  return state;
}

const Part& find_part(const Snapshot& snapshot, const std::string& file) {
  static const Part none;
  for (const Part& part : snapshot.parts) {
    if (part.file == file) return part;
  }
  return none;
}

NamedTensors tensors_in(const Snapshot& snapshot, const std::string& file) {
  NamedTensors out;
  for (const files::TensorBytes& saved : find_part(snapshot, file).tensors)
    out.push_back({saved.name, to_tensor(saved)});
  return out;
}

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

void restore_kept(model::Model& model, const Snapshot& snapshot) {
  restore_part(find_part(snapshot, kBuffersFile), buffers_of(model, false));
  model::Attributes attributes;
  if (const auto values = snapshot.state.find("attributes"); values != snapshot.state.end())
    attributes.values = *values;
  for (const files::TensorBytes& saved : find_part(snapshot, kAttributesFile).tensors)
    attributes.tensors.push_back({saved.name, to_tensor(saved)});
  model.set_attributes(attributes);
}

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

}  // namespace knead::engine
