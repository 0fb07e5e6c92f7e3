#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Lets the modules that a pattern stands for keep nothing within them for backward, where they are
/// computed once more. Before the model's first forward. Throws knead::Error for a pattern that
/// stands for no module that is called.
void checkpoint_activations(model::Model& model, const std::vector<std::string>& patterns);

}  // namespace knead::engine
