#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Runs the embedded layer files (models/layers/*.py) and adds their names to torch.nn,
/// torch.nn.functional and torch.nn.init. Reads no file. The modules torch and torch.nn must exist,
/// and a call must be open: Evaluator::module() calls this at the first import of torch.
void load_layers(Evaluator& evaluator);

}  // namespace knead::engine::model
