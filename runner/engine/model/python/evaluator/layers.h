#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Runs the layers: what they define can be imported from torch.nn afterwards.
void load_layers(Evaluator& evaluator);

}  // namespace knead::engine::model
