#pragma once

#include <vector>

#include "recipe.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Lets parameters begin as model.init says: in their order, each by the first rule that fits one
/// of its names, with random numbers of LibTorch's default generator. Throws knead::Error for a
/// rule that fits none, or none that is left, or one that it cannot fill.
void initialise(const model::Model& model, const std::vector<recipe::Initialisation>& rules);

}  // namespace knead::engine
