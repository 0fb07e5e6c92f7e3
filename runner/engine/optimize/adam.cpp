#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.Adam or AdamW does. Both have the same options and state, and a fused
/// kernel each.
template <class Options>
class FusedAdam final : public Rule {
 public:
  explicit FusedAdam(const Options& options)
      : beta1_(options.betas[0]),
        beta2_(options.betas[1]),
        eps_(options.eps),
        weight_decay_(options.weight_decay),
        amsgrad_(options.amsgrad) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    NamedTensors state = {{"exp_avg", at::zeros_like(parameter)},
                          {"exp_avg_sq", at::zeros_like(parameter)}};
    if (amsgrad_) state.push_back({"max_exp_avg_sq", at::zeros_like(parameter)});
    state.push_back({"step", at::zeros({}, parameter.options().dtype(at::kFloat))});
    return state;
  }

  void update(Lists& lists, double lr, double scale) const override {
    Tensors& steps = lists.state.back();
    count_update(steps);
    const auto& divisor = lists.scale.divisor(scale, lists.gradients);
    const at::TensorList largest = amsgrad_ ? at::TensorList(lists.state[2]) : at::TensorList();
    constexpr auto kernel = [](auto&&... arguments) {
      if constexpr (std::is_same_v<Options, recipe::AdamW>) {
        at::_fused_adamw_(arguments...);
      } else {
        at::_fused_adam_(arguments...);
      }
    };
    kernel(lists.parameters, lists.gradients, lists.state[0], lists.state[1], largest, steps, lr,
           beta1_, beta2_, weight_decay_, eps_, amsgrad_, /*maximize=*/false, divisor,
           lists.scale.found_inf());
    lists.scale.count_no_more(steps);
  }

  bool accepts_found_inf() const override { return true; }

 private:
  double beta1_, beta2_, eps_, weight_decay_;
  bool amsgrad_;
};

}  // namespace

MadeRule make_rule(const recipe::AdamW& options) {
  return std::make_unique<FusedAdam<recipe::AdamW>>(options);
}

MadeRule make_rule(const recipe::Adam& options) {
  return std::make_unique<FusedAdam<recipe::Adam>>(options);
}

}  // namespace knead::engine::optimize
