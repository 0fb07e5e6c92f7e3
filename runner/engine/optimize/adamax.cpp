#include <cmath>

#include <ATen/ops/_foreach_abs.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_maximum.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"
#include "runner/engine/optimize/moments.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.Adamax does (arXiv 1412.6980, section 7.1).
class InfinityAdam final : public Rule {
 public:
  explicit InfinityAdam(const recipe::Adamax& options)
      : betas_{options.betas[0], options.betas[1]},
        eps_(options.eps),
        weight_decay_(options.weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"exp_avg", at::zeros_like(parameter)},
            {"exp_inf", at::zeros_like(parameter)},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors &averages = lists.state[0], &largest = lists.state[1];
    const std::vector<double> steps = count_up(lists.state[2]);
    const Tensors gradients = lists.gradients_with(weight_decay_);
    at::_foreach_lerp_(averages, gradients, 1 - betas_.first);
    at::_foreach_mul_(largest, betas_.second);
    Tensors sizes = at::_foreach_abs(gradients);
    // Torch adds eps before the maximum, so that the largest size is never 0.
    at::_foreach_add_(sizes, eps_);
    at::_foreach_maximum_(largest, sizes);
    std::vector<at::Scalar> rates;
    for (const double step : steps)
      rates.emplace_back(lr / (1 - std::pow(betas_.first, step)) * -1);
    at::_foreach_addcdiv_(lists.parameters, averages, largest, rates);
  }

 private:
  Betas betas_;
  double eps_, weight_decay_;
};

}  // namespace

MadeRule make_rule(const recipe::Adamax& options) {
  return std::make_unique<InfinityAdam>(options);
}

}  // namespace knead::engine::optimize
