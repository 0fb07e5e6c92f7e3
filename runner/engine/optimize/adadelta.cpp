#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.Adadelta does (arXiv 1212.5701).
class AdaptiveDelta final : public Rule {
 public:
  explicit AdaptiveDelta(const recipe::Adadelta& options)
      : rho_(options.rho), eps_(options.eps), weight_decay_(options.weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"square_avg", at::zeros_like(parameter)},
            {"acc_delta", at::zeros_like(parameter)},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors &squares = lists.state[0], &deltas = lists.state[1];
    count_up(lists.state[2]);
    const Tensors gradients = lists.gradients_with(weight_decay_);
    at::_foreach_mul_(squares, rho_);
    at::_foreach_addcmul_(squares, gradients, gradients, 1 - rho_);
    // The order of torch's foreach implementation: another one would round differently.
    Tensors roots = at::_foreach_add(squares, eps_);
    at::_foreach_sqrt_(roots);
    Tensors changes = at::_foreach_add(deltas, eps_);
    at::_foreach_sqrt_(changes);
    at::_foreach_div_(changes, roots);
    at::_foreach_mul_(changes, gradients);
    at::_foreach_mul_(deltas, rho_);
    at::_foreach_addcmul_(deltas, changes, changes, 1 - rho_);
    at::_foreach_add_(lists.parameters, changes, -lr);
  }

 private:
  double rho_, eps_, weight_decay_;
};

}  // namespace

MadeRule make_rule(const recipe::Adadelta& options) {
  return std::make_unique<AdaptiveDelta>(options);
}

}  // namespace knead::engine::optimize
