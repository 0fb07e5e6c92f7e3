#include "runner/engine/train/export.h"

#include <sstream>

#include <fmt/format.h>

#include "runner/checkpoint/weights_files.h"
#include "runner/engine/job/model_place.h"
#include "runner/files/file.h"
#include "runner/weights/write.h"
#include "schema/document/error.h"

namespace knead::engine {

void write_archive(const model::Model& model, files::FileSystem& disk,
                   const std::filesystem::path& path) {
  // Written to memory first, because LibTorch's file writer does not check whether closing the file
  // succeeded.
  std::ostringstream archive;
  const InHostMemory there(model);
  model.save(archive);
  files::publish(disk, path, archive.str());
}

std::filesystem::path write_weights(const checkpoint::EvaluatedTensors& weights,
                                    const WeightsFile& file, files::FileSystem& disk) {
  if (file.format == recipe::Export::To::torch) {
    files::publish(disk, file.path, weights::torch_file(weights.tensors, weights.metadata));
    return file.path;
  }
  if (file.max_shard && file.path.extension() != ".safetensors")
    throw Error(fmt::format("'{}' cannot be cut into parts, as export.max_shard asks for",
                            file.path.string()),
                "give it a name that ends in .safetensors", Exit::invalid_recipe);
  return checkpoint::write_safetensors(weights, file.max_shard, disk, file.path);
}

const char* export_name(recipe::Export::To format) {
  switch (format) {
    case recipe::Export::To::torchscript: return "model.pt";
    case recipe::Export::To::safetensors: return "model.safetensors";
    case recipe::Export::To::torch: return "model.torch.pt";
  }
  return "";
}

std::optional<std::uint64_t> most_in_a_part(const std::optional<recipe::Export>& rule) {
  if (!rule || !rule->max_shard) return std::nullopt;
  return static_cast<std::uint64_t>(rule->max_shard->value);
}

}  // namespace knead::engine
