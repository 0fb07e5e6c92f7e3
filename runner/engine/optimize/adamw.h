#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/optimize/optimizer.h"

namespace knead::engine::optimize {

/// Adam with decoupled weight decay, on ATen's fused kernel.
std::unique_ptr<Optimizer> make_adamw(const recipe::AdamW& options, const NamedTensors& parameters);

}  // namespace knead::engine::optimize
