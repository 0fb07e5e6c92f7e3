#pragma once

#include <memory>

#include "recipe/optimizer.h"
#include "runner/engine/optimize/rule.h"

// Makes the update rule of each kind of optimizer. AdamW, Adam, SGD and Adagrad call ATen's fused
// kernels, so that the numbers are theirs. The other rules of torch.optim follow its foreach
// implementations operator by operator, except Adafactor and Muon, which go tensor by tensor. Lion
// and LAMB, which torch does not have, follow their papers.

namespace knead::engine::optimize {

/// Owns a rule; never null.
using MadeRule = std::unique_ptr<Rule>;

/// Makes Adam with decoupled weight decay (arXiv 1711.05101). Its state has two tensors of the size
/// of a parameter, three with amsgrad.
MadeRule make_rule(const recipe::AdamW& options);
/// Makes Adam (arXiv 1412.6980); weight decay is added to the gradient. Its state is that of AdamW.
MadeRule make_rule(const recipe::Adam& options);
/// Makes stochastic gradient descent. Its state has one tensor with momentum, none without.
MadeRule make_rule(const recipe::Sgd& options);
/// Makes Adagrad (Duchi, Hazan and Singer 2011). Its state has one tensor of the size of a
/// parameter.
MadeRule make_rule(const recipe::Adagrad& options);
/// Makes RMSprop. Its state has one tensor of the size of a parameter, and one more each for
/// `centered` and momentum.
MadeRule make_rule(const recipe::RmsProp& options);
/// Makes Adam with Nesterov momentum (Dozat 2016). Its state has two tensors of the size of a
/// parameter.
MadeRule make_rule(const recipe::NAdam& options);
/// Makes rectified Adam (arXiv 1908.03265). Its state has two tensors of the size of a parameter.
MadeRule make_rule(const recipe::RAdam& options);
/// Makes Adam with the infinity norm (arXiv 1412.6980, section 7.1). Its state has two tensors.
MadeRule make_rule(const recipe::Adamax& options);
/// Makes Adadelta (arXiv 1212.5701). Its state has two tensors of the size of a parameter.
MadeRule make_rule(const recipe::Adadelta& options);
/// Makes Lion (arXiv 2302.06675). Its state has one tensor of the size of a parameter.
MadeRule make_rule(const recipe::Lion& options);
/// Makes LAMB (arXiv 1904.00962). Its state has two tensors. Waits for a GPU in each update.
MadeRule make_rule(const recipe::Lamb& options);
/// Makes Adafactor (arXiv 1804.04235). Its state has a row and a column for each matrix, and a
/// whole tensor for each vector. Waits for a GPU in each update.
MadeRule make_rule(const recipe::Adafactor& options);
/// Makes Muon, for matrices only: check() throws for other parameters, which optimizer.groups can
/// leave to AdamW. Its state has one tensor of the size of a parameter.
MadeRule make_rule(const recipe::Muon& options);

}  // namespace knead::engine::optimize
