#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/optimize/groups.h"
#include "runner/engine/optimize/optimizer.h"

namespace knead::engine::optimize {

/// The optimizer that a recipe says, for these parameters, which it updates in place. `names`: all
/// names of each parameter, for the patterns of groups. Throws knead::Error for a group that fits no
/// parameter, and for parameters it is not for.
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters,
                                          const std::vector<Names>& names);

/// The same for parameters that have one name each.
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters);

/// optimizer.lr.
double rate_of(const recipe::Optimizer& optimizer);

}  // namespace knead::engine::optimize
