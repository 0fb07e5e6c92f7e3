#include <cmath>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"
#include "runner/engine/optimize/moments.h"

namespace knead::engine::optimize {
namespace {

/// Follows algorithm 2 of arXiv 1904.00962, with the norm itself as φ. Does not scale the rate of a
/// tensor whose weights or whose change are all 0.
class LayerwiseAdam final : public Rule {
 public:
  explicit LayerwiseAdam(const recipe::Lamb& options)
      : betas_{options.betas[0], options.betas[1]},
        eps_(options.eps),
        weight_decay_(options.weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"exp_avg", at::zeros_like(parameter)},
            {"exp_avg_sq", at::zeros_like(parameter)},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors &averages = lists.state[0], &squares = lists.state[1];
    const std::vector<double> steps = count_up(lists.state[2]);
    move_averages(averages, squares, lists.gradients, betas_);
    std::vector<at::Scalar> first, second;
    for (const double step : steps) {
      first.emplace_back(1 - std::pow(betas_.first, step));
      second.emplace_back(std::sqrt(1 - std::pow(betas_.second, step)));
    }
    Tensors roots = at::_foreach_sqrt(squares);
    at::_foreach_div_(roots, second);
    at::_foreach_add_(roots, eps_);
    Tensors changes = at::_foreach_div(averages, first);
    at::_foreach_div_(changes, roots);
    if (weight_decay_ != 0) at::_foreach_add_(changes, lists.parameters, weight_decay_);
    // The trust ratio is that of the whole change, weight decay included.
    at::_foreach_mul_(changes, rates(lists.parameters, changes, lr));
    at::_foreach_add_(lists.parameters, changes);
  }

 private:
  /// Returns the factor on each change: −lr times the norm of the weights over that of the change.
  static std::vector<at::Scalar> rates(const Tensors& parameters, const Tensors& changes,
                                       double lr) {
    const Tensors lengths = at::_foreach_norm(parameters), steps = at::_foreach_norm(changes);
    std::vector<at::Scalar> rates;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double length = lengths[i].item<double>(), step = steps[i].item<double>();
      rates.emplace_back(length > 0 && step > 0 ? -lr * length / step : -lr);
    }
    return rates;
  }

  Betas betas_;
  double eps_, weight_decay_;
};

}  // namespace

MadeRule make_rule(const recipe::Lamb& options) { return std::make_unique<LayerwiseAdam>(options); }

}  // namespace knead::engine::optimize
