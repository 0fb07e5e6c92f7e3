#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Adds `import numpy` to the evaluator: arrays of bool, whole numbers and floats with the
/// functions that models use while they are built. dtypes, promotion, views and bits are those of
/// NumPy 2; elementwise.h, accumulate.h and linear_algebra.h say where bits may differ. Complex
/// numbers, texts, objects and files do not exist here. types of Python must be added before.
void add_numpy(Evaluator& evaluator);

}  // namespace knead::engine::model
