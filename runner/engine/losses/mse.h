#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

/// Squared differences. An output (N, 1) and a target (N), or the other way round, are compared
/// item by item; torch would compare each with each.
std::unique_ptr<Loss> make_mse(const recipe::Mse& options);

}  // namespace knead::engine::losses
