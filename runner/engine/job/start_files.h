#pragma once

#include <functional>
#include <memory>

#include "recipe.h"
#include "runner/engine/tensor/scratch_tensors.h"

namespace knead::engine {

/// Returns what lays the parameters of a model into files until its ranks have divided them, if
/// they divide them by units: the others need all parameters in their memory anyway. The files are
/// in distributed.offload.path, else in the folder for temporary files. Null without several ranks,
/// and if that folder is no disk.
std::unique_ptr<ScratchTensors> files_of_start(const recipe::Recipe& recipe, int ranks);

/// Calls `work`. What it makes lies in the files, if there are any.
void make_in(ScratchTensors* files, const std::function<void()>& work);

}  // namespace knead::engine
