#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sign.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"
#include "runner/engine/optimize/moments.h"

namespace knead::engine::optimize {
namespace {

/// Follows algorithm 2 of arXiv 2302.06675.
class SignMomentum final : public Rule {
 public:
  explicit SignMomentum(const recipe::Lion& options)
      : betas_{options.betas[0], options.betas[1]}, weight_decay_(options.weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"exp_avg", at::zeros_like(parameter)}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    Tensors& averages = lists.state[0];
    // The change uses betas[0] and the average before this gradient, which betas[1] moves below.
    Tensors changes = at::_foreach_lerp(averages, lists.gradients, 1 - betas_.first);
    at::_foreach_sign_(changes);
    decay(lists, lr, weight_decay_, /*is_decoupled=*/true);
    at::_foreach_add_(lists.parameters, changes, -lr);
    at::_foreach_lerp_(averages, lists.gradients, 1 - betas_.second);
  }

 private:
  Betas betas_;
  double weight_decay_;
};

}  // namespace

MadeRule make_rule(const recipe::Lion& options) { return std::make_unique<SignMomentum>(options); }

}  // namespace knead::engine::optimize
