#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// The first update makes the gradient the momentum, without dampening.
class FusedSgd final : public Rule {
 public:
  explicit FusedSgd(const recipe::Sgd& options)
      : momentum_(options.momentum),
        dampening_(options.dampening),
        weight_decay_(options.weight_decay),
        nesterov_(options.nesterov) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    if (momentum_ == 0) return {};
    return {{"momentum_buffer", at::empty_like(parameter)}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    const at::TensorList momenta =
        momentum_ == 0 ? at::TensorList() : at::TensorList(lists.state[0]);
    at::_fused_sgd_(lists.parameters, lists.gradients, momenta, weight_decay_, momentum_, lr,
                    dampening_, nesterov_, /*maximize=*/false, lists.is_first,
                    lists.scale.divisor(scale, lists.gradients), lists.scale.found_inf());
  }

  bool heeds_device() const override { return true; }

 private:
  double momentum_, dampening_, weight_decay_;
  bool nesterov_;
};

}  // namespace

MadeRule make_rule(const recipe::Sgd& options) { return std::make_unique<FusedSgd>(options); }

}  // namespace knead::engine::optimize
