#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Makes the modules that a pattern matches keep no inner activations for backward, which computes
/// them once more. Must be called before the model's first forward. Throws knead::Error for a
/// pattern that matches no module that is called.
void checkpoint_activations(model::Model& model, const std::vector<std::string>& patterns);

}  // namespace knead::engine
