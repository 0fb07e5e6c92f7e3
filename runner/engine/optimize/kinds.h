#pragma once

#include <memory>

#include "recipe/optimizer.h"
#include "runner/engine/optimize/rule.h"

// Makes the update rule of each kind of optimizer. AdamW, Adam, SGD and Adagrad call ATen's fused
// kernels, so that the numbers are theirs. The other rules of torch.optim follow its foreach
// implementations operator by operator, except Adafactor and Muon, which go tensor by tensor. Lion
// and LAMB, which torch does not have, follow their papers.

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
