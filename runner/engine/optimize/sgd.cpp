#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.SGD does. The first update takes the gradient as the momentum, without
/// dampening.
class FusedSgd final : public Rule {
 public:
  explicit FusedSgd(const recipe::Sgd& options)
      : momentum_(options.momentum),
        dampening_(options.dampening),
        weight_decay_(options.weight_decay),
        nesterov_(options.nesterov) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    if (momentum_ == 0) return {};
    return {{"momentum_buffer", at::empty_like(parameter)}};  // overwritten by the first update
  }

  void update(Lists& lists, double lr, double scale) const override {
    if (is_half_on_cpu(lists.parameters.front())) return update_by_operators(lists, lr, scale);
    const at::TensorList momenta =
        momentum_ == 0 ? at::TensorList() : at::TensorList(lists.state[0]);
    at::_fused_sgd_(lists.parameters, lists.gradients, momenta, weight_decay_, momentum_, lr,
                    dampening_, nesterov_, /*maximize=*/false, lists.is_first,
                    lists.scale.divisor(scale, lists.gradients), lists.scale.found_inf());
  }

  bool accepts_found_inf() const override { return true; }

 private:
  /// Returns whether the fused kernel must not be used: LibTorch 2.11's kernel for the CPU leaves
  /// most numbers of these types unchanged.
  static bool is_half_on_cpu(const at::Tensor& parameter) {
    return parameter.is_cpu() && at::isReducedFloatingType(parameter.scalar_type());
  }

  /// Makes the same update without the fused kernel.
  void update_by_operators(Lists& lists, double lr, double scale) const {
    lists.scale_gradients(scale);
    Tensors changes = lists.gradients_with(weight_decay_);
    if (momentum_ != 0) {
      Tensors& momenta = lists.state[0];
      if (lists.is_first) {
        at::_foreach_copy_(momenta, changes);
      } else {
        at::_foreach_mul_(momenta, momentum_);
        at::_foreach_add_(momenta, changes, 1 - dampening_);
      }
      changes = nesterov_ ? at::_foreach_add(changes, momenta, momentum_) : momenta;
    }
    at::_foreach_add_(lists.parameters, changes, -lr);
  }

  double momentum_, dampening_, weight_decay_;
  bool nesterov_;
};

}  // namespace

MadeRule make_rule(const recipe::Sgd& options) { return std::make_unique<FusedSgd>(options); }

}  // namespace knead::engine::optimize
