#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/optimize/optimizer.h"

namespace knead::engine::optimize {

/// Stochastic gradient descent, on ATen's fused kernel.
std::unique_ptr<Optimizer> make_sgd(const recipe::Sgd& options, const NamedTensors& parameters);

}  // namespace knead::engine::optimize
