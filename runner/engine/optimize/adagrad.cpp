#include <ATen/ops/_fused_adagrad.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.Adagrad does, by its fused kernel.
class FusedAdagrad final : public Rule {
 public:
  explicit FusedAdagrad(const recipe::Adagrad& options)
      : lr_decay_(options.lr_decay),
        weight_decay_(options.weight_decay),
        first_sum_(options.initial_accumulator_value),
        eps_(options.eps) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    // The fused kernel reads the count where the parameter lies.
    return {{"sum", at::full_like(parameter, first_sum_)},
            {"step", at::zeros({}, parameter.options().dtype(at::kFloat))}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    Tensors &sums = lists.state[0], &steps = lists.state[1];
    count_update(steps);
    at::_fused_adagrad_(lists.parameters, lists.gradients, sums, steps, lr, lr_decay_,
                        weight_decay_, eps_, /*maximize=*/false,
                        lists.scale.divisor(scale, lists.gradients), lists.scale.found_inf());
    lists.scale.count_no_more(steps);
  }

  bool accepts_found_inf() const override { return true; }

 private:
  double lr_decay_, weight_decay_, first_sum_, eps_;
};

}  // namespace

MadeRule make_rule(const recipe::Adagrad& options) {
  return std::make_unique<FusedAdagrad>(options);
}

}  // namespace knead::engine::optimize
