#pragma once

#include <functional>
#include <memory>

#include "recipe.h"
#include "runner/engine/tensor/scratch_tensors.h"

namespace knead::engine {

/// Returns what lays the parameters of a model into files until its ranks have divided them, if
/// they divide them by units, or may do so: others need all parameters in their memory anyway. The
/// files are in distributed.offload.path, else in the folder for temporary files. Null without
/// several ranks, and if that folder is no disk.
std::unique_ptr<ScratchTensors> files_of_start(const recipe::Recipe& recipe, int ranks);

/// Calls `work`. What it makes lies in the files, if there are any.
void make_in(ScratchTensors* files, const std::function<void()>& work);

/// Ends the use of the files. What still lies in them moves into memory, unless the ranks have
/// divided the parameters by units.
void end_start(std::unique_ptr<ScratchTensors>& files, bool has_units);

}  // namespace knead::engine
