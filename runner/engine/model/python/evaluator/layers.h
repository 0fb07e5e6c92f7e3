#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Runs the embedded layer files (models/layers/*.py) and adds their names to torch.nn,
/// torch.nn.functional and torch.nn.init.
void load_layers(Evaluator& evaluator);

}  // namespace knead::engine::model
