#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.RMSprop does.
class RootMeanSquare final : public Rule {
 public:
  explicit RootMeanSquare(const recipe::RmsProp& options)
      : alpha_(options.alpha),
        eps_(options.eps),
        weight_decay_(options.weight_decay),
        momentum_(options.momentum),
        centered_(options.centered) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    NamedTensors state = {{"square_avg", at::zeros_like(parameter)}, {"step", zero_count()}};
    if (centered_) state.push_back({"grad_avg", at::zeros_like(parameter)});
    // update() finds the momentum as the last slot.
    if (momentum_ > 0) state.push_back({"momentum_buffer", at::zeros_like(parameter)});
    return state;
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    count_up(lists.state[1]);
    const Tensors gradients = lists.gradients_with(weight_decay_);
    Tensors& squares = lists.state[0];
    at::_foreach_mul_(squares, alpha_);
    at::_foreach_addcmul_(squares, gradients, gradients, 1 - alpha_);
    const Tensors roots = roots_of(squares, lists, gradients);
    if (momentum_ == 0) return at::_foreach_addcdiv_(lists.parameters, gradients, roots, -lr);
    Tensors& momenta = lists.state.back();
    at::_foreach_mul_(momenta, momentum_);
    at::_foreach_addcdiv_(momenta, gradients, roots);
    at::_foreach_add_(lists.parameters, momenta, -lr);
  }

 private:
  /// Returns the divisors of the gradients; if centered, of the variance instead of the mean
  /// square.
  Tensors roots_of(const Tensors& squares, Lists& lists, const Tensors& gradients) const {
    Tensors roots;
    if (centered_) {
      Tensors& averages = lists.state[2];
      at::_foreach_lerp_(averages, gradients, 1 - alpha_);
      roots = at::_foreach_addcmul(squares, averages, averages, -1);
      at::_foreach_sqrt_(roots);
    } else {
      roots = at::_foreach_sqrt(squares);
    }
    at::_foreach_add_(roots, eps_);
    return roots;
  }

  double alpha_, eps_, weight_decay_, momentum_;
  bool centered_;
};

}  // namespace

MadeRule make_rule(const recipe::RmsProp& options) {
  return std::make_unique<RootMeanSquare>(options);
}

}  // namespace knead::engine::optimize
