#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/optimize/rule.h"

/// The rule of each kind of optimizer. Where torch has fused kernels they are used, and the numbers
/// are theirs; all else follows torch's foreach implementations, operator by operator.

namespace knead::engine::optimize {

using MadeRule = std::unique_ptr<Rule>;

MadeRule make_rule(const recipe::AdamW& options);
MadeRule make_rule(const recipe::Adam& options);
MadeRule make_rule(const recipe::Sgd& options);
MadeRule make_rule(const recipe::Adagrad& options);
MadeRule make_rule(const recipe::RmsProp& options);
MadeRule make_rule(const recipe::NAdam& options);
MadeRule make_rule(const recipe::RAdam& options);
MadeRule make_rule(const recipe::Adamax& options);
MadeRule make_rule(const recipe::Adadelta& options);
MadeRule make_rule(const recipe::Lion& options);
MadeRule make_rule(const recipe::Lamb& options);
MadeRule make_rule(const recipe::Adafactor& options);
MadeRule make_rule(const recipe::Muon& options);

}  // namespace knead::engine::optimize
