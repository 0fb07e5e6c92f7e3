#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Makes the modules whose path a glob pattern matches keep no inner activations for backward,
/// which computes them once more: less memory for about one more forward of work, and the same
/// numbers. The model as a whole is never matched. Must be called before the model's first forward,
/// for at most one model of a process. Throws knead::Error (exit code of an invalid recipe) for a
/// pattern that matches no module, or only a list of modules, which is never called itself.
void checkpoint_activations(model::Model& model, const std::vector<std::string>& patterns);

}  // namespace knead::engine
