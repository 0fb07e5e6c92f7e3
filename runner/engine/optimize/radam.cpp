#include <cmath>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_reciprocal.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"
#include "runner/engine/optimize/moments.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.RAdam does (arXiv 1908.03265).
class RectifiedAdam final : public Rule {
 public:
  explicit RectifiedAdam(const recipe::RAdam& options)
      : betas_{options.betas[0], options.betas[1]},
        eps_(options.eps),
        weight_decay_(options.weight_decay),
        is_decoupled_(options.decoupled_weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"exp_avg", at::zeros_like(parameter)},
            {"exp_avg_sq", at::zeros_like(parameter)},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors &averages = lists.state[0], &squares = lists.state[1];
    const std::vector<double> steps = count_up(lists.state[2]);
    const Tensors gradients = decay(lists, lr, weight_decay_, is_decoupled_);
    move_averages(averages, squares, gradients, betas_);
    std::vector<at::Scalar> adaptive, plain;
    for (const double step : steps) {
      const double rectified = rectification(step);
      const double correction = 1 - std::pow(betas_.first, step);
      adaptive.emplace_back(std::sqrt(1 - std::pow(betas_.second, step)) *
                            (lr * rectified / correction) * -1);
      plain.emplace_back(lr * (rectified > 0 ? 0 : 1) / correction * -1);
    }
    Tensors factors = at::_foreach_sqrt(squares);
    at::_foreach_add_(factors, eps_);
    at::_foreach_div_(factors, adaptive);  // by 0 if not rectified: the reciprocal is then 0
    at::_foreach_reciprocal_(factors);
    at::_foreach_add_(factors, plain);
    at::_foreach_addcmul_(lists.parameters, averages, factors);
  }

 private:
  /// Returns the factor by which the average of squares is trusted after `step` updates; 0 if not
  /// at all.
  double rectification(double step) const {
    const double most = 2 / (1 - betas_.second) - 1;
    const double power = std::pow(betas_.second, step);
    const double length = most - 2 * step * power / (1 - power);
    if (length <= 5) return 0;
    return std::sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length));
  }

  Betas betas_;
  double eps_, weight_decay_;
  bool is_decoupled_;
};

}  // namespace

MadeRule make_rule(const recipe::RAdam& options) {
  return std::make_unique<RectifiedAdam>(options);
}

}  // namespace knead::engine::optimize
