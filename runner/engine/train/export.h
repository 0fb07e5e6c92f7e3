#pragma once

#include <filesystem>

#include "recipe.h"
#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/engine/model/module/model.h"
#include "runner/files/file_system.h"
#include "runner/plan/evaluations.h"

namespace knead::engine {

/// Writes a model for other programs: TorchScript for torch.jit.load, or its weights as
/// safetensors or as a state dict for torch.load. The file is there whole, read back and compared,
/// or not at all. Throws knead::Error where it cannot be written.
void write_model(const model::Model& model, recipe::Export::To format, files::FileSystem& disk,
                 const std::filesystem::path& path);

/// The same of weights alone, as a checkpoint holds them; for the formats that need no model.
void write_weights(const checkpoint::Part& part, recipe::Export::To format, files::FileSystem& disk,
                   const std::filesystem::path& path);

/// "model.pt", "model.safetensors", "model.torch.pt": its name in the folder of a run.
const char* export_name(recipe::Export::To format);

/// The steps of checkpoints in the order in which their weights are wanted: the one that
/// evaluations say is the best, if it is there, then the newest, and so on to the oldest. Damaged
/// ones are among them.
std::vector<std::uint64_t> preferred_steps(const recipe::Recipe& recipe,
                                           const plan::Evaluations& evaluations,
                                           const std::vector<checkpoint::Listed>& checkpoints);

}  // namespace knead::engine
