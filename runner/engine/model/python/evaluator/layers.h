#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Runs the embedded layer files of torch (models/layers/*.py) and adds their names to torch.nn,
/// torch.nn.functional and torch.nn.init. Reads no file. The modules torch and torch.nn must exist,
/// and a call must be open: Evaluator::module() calls this at the first import of torch.
void load_layers(Evaluator& evaluator);

/// Runs the embedded files of einops and adds their names to einops and einops.layers.torch. The
/// module einops must exist, and a call must be open: Evaluator::module() calls this at the first
/// import of einops.
void load_einops(Evaluator& evaluator);

}  // namespace knead::engine::model
