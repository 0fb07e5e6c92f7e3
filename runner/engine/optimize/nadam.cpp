#include <cmath>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"
#include "runner/engine/optimize/moments.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.NAdam does.
class NesterovAdam final : public Rule {
 public:
  explicit NesterovAdam(const recipe::NAdam& options)
      : betas_{options.betas[0], options.betas[1]},
        eps_(options.eps),
        weight_decay_(options.weight_decay),
        momentum_decay_(options.momentum_decay),
        is_decoupled_(options.decoupled_weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"exp_avg", at::zeros_like(parameter)},
            {"exp_avg_sq", at::zeros_like(parameter)},
            {"mu_product", at::ones({}, at::kFloat)},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors &averages = lists.state[0], &squares = lists.state[1], &products = lists.state[2];
    const std::vector<double> steps = count_up(lists.state[3]);
    const Tensors gradients = decay(lists, lr, weight_decay_, is_decoupled_);
    move_averages(averages, squares, gradients, betas_);
    Tensors roots = at::_foreach_sqrt(squares);
    std::vector<at::Scalar> corrections, for_gradients, for_averages;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      corrections.emplace_back(std::sqrt(1 - std::pow(betas_.second, steps[i])));
      const double now = momentum_at(steps[i]), next = momentum_at(steps[i] + 1);
      float& stored = *products[i].mutable_data_ptr<float>();
      // Torch keeps the product of all momenta as a float32 tensor; a double would drift away from
      // it.
      stored *= static_cast<float>(now);
      const double product = stored;
      for_gradients.emplace_back(lr * (1 - now) / (1 - product) * -1);
      for_averages.emplace_back(lr * next / (1 - product * next) * -1);
    }
    at::_foreach_div_(roots, corrections);
    at::_foreach_add_(roots, eps_);
    at::_foreach_addcdiv_(lists.parameters, gradients, roots, for_gradients);
    at::_foreach_addcdiv_(lists.parameters, averages, roots, for_averages);
  }

 private:
  /// Returns the first beta of a step, which grows with the steps.
  double momentum_at(double step) const {
    return betas_.first * (1 - 0.5 * std::pow(0.96, step * momentum_decay_));
  }

  Betas betas_;
  double eps_, weight_decay_, momentum_decay_;
  bool is_decoupled_;
};

}  // namespace

MadeRule make_rule(const recipe::NAdam& options) { return std::make_unique<NesterovAdam>(options); }

}  // namespace knead::engine::optimize
