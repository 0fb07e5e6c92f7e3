#pragma once

#include <vector>

#include "recipe/model.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Fills parameters as model.init says, in their order, with random numbers of LibTorch's default
/// generator, so that the seed and the order of the parameters determine the weights. Each
/// parameter follows the first rule that matches one of its names and its dimensions; without a
/// rule it keeps the numbers of its layer. Throws knead::Error (exit code of an invalid recipe) for
/// a rule that no parameter follows, or that cannot fill its parameter. Parameters of earlier rules
/// are filled by then.
void initialise(const model::Model& model, const std::vector<recipe::Initialisation>& rules);

}  // namespace knead::engine
