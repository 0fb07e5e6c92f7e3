#pragma once

#include <memory>

#include "recipe/optimizer.h"
#include "runner/engine/optimize/groups.h"
#include "runner/engine/optimize/optimizer.h"

namespace knead::engine::optimize {

/// Makes the optimizer of a recipe for these parameters, which it updates in place. `names`: all
/// names of each parameter, which the patterns of groups match. A group's options override those of
/// the optimizer; its rate is its own `lr`, or the optimizer's times `lr_scale`. Throws
/// knead::Error for a group that fits no parameter, and for a parameter that its kind of optimizer
/// cannot update.
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters,
                                          const std::vector<Names>& names);

/// Names a part of a parameter, which an optimizer updates alone.
struct OwnedPiece {
  /// Bears the name of the parameter; one-dimensional, or the whole parameter.
  NamedTensor tensor;
  /// Index of the parameter.
  std::size_t parameter = 0;
};

/// Makes the optimizer of a recipe for pieces of these parameters. Groups are those of the
/// parameters. Throws as the other make_optimizer().
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters,
                                          const std::vector<Names>& names,
                                          const std::vector<OwnedPiece>& pieces);

/// Returns whether an optimizer computes with whole tensors, as with a norm or rows and columns:
/// its parameters cannot be cut.
bool needs_whole_tensors(const recipe::Optimizer& optimizer);

/// Makes the optimizer of a recipe for parameters that have one name each. Throws as the other
/// make_optimizer().
std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters);

/// Returns the learning rate of the recipe, optimizer.lr, to which the schedule's factor applies.
/// Groups may have others.
double rate_of(const recipe::Optimizer& optimizer);

}  // namespace knead::engine::optimize
