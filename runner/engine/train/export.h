#pragma once

#include <filesystem>
#include <optional>

#include "recipe.h"
#include "runner/checkpoint/evaluated_tensors.h"
#include "runner/engine/model/module/model.h"
#include "runner/files/file_system.h"

namespace knead::engine {

/// Publishes an archive for torch.jit.load, whole or not at all, with the weights that the model
/// has. Call it in the mode in which the model is to be used; it is not changed. Throws
/// knead::Error if the file cannot be written.
void write_archive(const model::Model& model, files::FileSystem& disk,
                   const std::filesystem::path& path);

/// Says where weights go and in which form: safetensors, or a state dict for torch.load.
struct WeightsFile {
  recipe::Export::To format;
  /// Bytes of tensors in a part of a safetensors file; std::nullopt: one file.
  std::optional<std::uint64_t> max_shard;
  std::filesystem::path path;
};

/// Publishes the weights of a checkpoint, and returns the path of what was written: `file.path`, or
/// the index of its parts. Needs memory for a few megabytes. Throws knead::Error if the file cannot
/// be written, or if parts are wanted of a file whose name does not end in .safetensors.
std::filesystem::path write_weights(const checkpoint::EvaluatedTensors& weights,
                                    const WeightsFile& file, files::FileSystem& disk);

/// Returns the name of the file of a format in a run's export folder: "model.safetensors".
const char* export_name(recipe::Export::To format);

/// Returns export.max_shard in bytes; std::nullopt if all weights go into one file.
std::optional<std::uint64_t> most_in_a_part(const std::optional<recipe::Export>& rule);

}  // namespace knead::engine
