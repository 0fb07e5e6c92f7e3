#pragma once

#include <filesystem>

#include "recipe.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/engine/model/module/model.h"
#include "runner/files/file_system.h"

namespace knead::engine {

/// Writes a model for other programs: as TorchScript for torch.jit.load, or only its weights, as
/// safetensors or as a state dict for torch.load. Writes the present weights in the present mode:
/// the caller sets model.train(false) for inference. Publishes the file whole, after it was read
/// back and compared; an old file stays if that fails. The folder of `path` must exist. Moves the
/// model of a GPU to host memory meanwhile for TorchScript. Throws knead::Error if the file cannot
/// be written.
void write_model(const model::Model& model, recipe::Export::To format, files::FileSystem& disk,
                 const std::filesystem::path& path);

/// Writes weights as a checkpoint holds them, in a format that needs no model: safetensors or
/// torch. `format` must not be TorchScript. Publishes and throws as write_model().
void write_weights(const checkpoint::Part& part, recipe::Export::To format, files::FileSystem& disk,
                   const std::filesystem::path& path);

/// Returns the file name of an export in the folder of a run: "model.pt" for TorchScript,
/// "model.safetensors" or "model.torch.pt". The text is static.
const char* export_name(recipe::Export::To format);

}  // namespace knead::engine
