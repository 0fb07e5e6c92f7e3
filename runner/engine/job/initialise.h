#pragma once

#include <vector>

#include "recipe/model.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Fills parameters as model.init says, in their order, with random numbers of LibTorch's default
/// generator. Each parameter follows the first rule that matches one of its names and its
/// dimensions. Throws knead::Error for a rule that no parameter follows, or that cannot fill its
/// parameter.
void initialise(const model::Model& model, const std::vector<recipe::Initialisation>& rules);

}  // namespace knead::engine
