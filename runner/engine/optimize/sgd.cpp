#include "runner/engine/optimize/sgd.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/saved_state.h"

namespace knead::engine::optimize {
namespace {

/// The tensors of one call of the kernel, item by item. Only the room in the lists outlives a step.
struct Group {
  std::vector<at::Tensor> parameters, gradients, momentum_buffers;
  GradientScale scale;
};

class Sgd final : public Optimizer {
 public:
  Sgd(const recipe::Sgd& options, const NamedTensors& parameters)
      : parameters_(parameters),
        grouping_(group_parameters(parameters)),
        momentum_buffers_(parameters.size()),
        groups_(grouping_.count),
        momentum_(options.momentum),
        dampening_(options.dampening),
        weight_decay_(options.weight_decay),
        nesterov_(options.nesterov) {}

  void step(double lr, double scale) override {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < parameters_.size(); ++i) gather(i);
    for (auto& [first, later] : groups_) {
      update(first, /*is_first=*/true, lr, scale);
      update(later, /*is_first=*/false, lr, scale);
    }
  }

  NamedTensors state() const override;
  void restore(const NamedTensors& saved) override;

 private:
  /// A first update makes the gradient the momentum, without dampening: in torch each parameter's
  /// own, so those that join late are a call for themselves.
  struct Groups {
    Group first, later;
  };

  void gather(std::size_t i);
  void update(Group& group, bool is_first, double lr, double scale) const;

  NamedTensors parameters_;
  Grouping grouping_;
  std::vector<at::Tensor>
      momentum_buffers_;  // of each parameter; undefined before its first update
  std::vector<Groups> groups_;
  double momentum_, dampening_, weight_decay_;
  bool nesterov_;
};

void Sgd::gather(std::size_t i) {
  at::Tensor gradient = ordered_gradient(parameters_[i]);
  if (!gradient.defined()) return;
  at::Tensor& buffer = momentum_buffers_[i];
  const bool is_first = momentum_ != 0 && !buffer.defined();
  if (is_first) buffer = at::empty_like(parameters_[i].tensor);
  Groups& groups = groups_[grouping_.of[i]];
  Group& group = is_first ? groups.first : groups.later;
  group.parameters.push_back(parameters_[i].tensor);
  group.gradients.push_back(std::move(gradient));
  if (momentum_ != 0) group.momentum_buffers.push_back(buffer);
}

void Sgd::update(Group& group, bool is_first, double lr, double scale) const {
  auto& [parameters, gradients, momentum_buffers, gradient_scale] = group;
  if (parameters.empty()) return;
  at::_fused_sgd_(parameters, gradients, momentum_buffers, weight_decay_, momentum_, lr, dampening_,
                  nesterov_, /*maximize=*/false, is_first,
                  gradient_scale.divisor(scale, gradients));
  for (auto* list : {&parameters, &gradients, &momentum_buffers}) list->clear();
}

NamedTensors Sgd::state() const {
  NamedTensors out;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (momentum_buffers_[i].defined())
      out.push_back({parameters_[i].name + "/momentum_buffer", momentum_buffers_[i]});
  }
  return out;
}

void Sgd::restore(const NamedTensors& saved) {
  SavedState state(saved);
  std::vector<at::Tensor> restored(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [name, parameter] = parameters_[i];
    if (momentum_ != 0 && state.holds(name))
      restored[i] = state.take(name + "/momentum_buffer", at::empty_like(parameter));
  }
  state.expect_all_taken();
  momentum_buffers_ = std::move(restored);
}

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const recipe::Sgd& options, const NamedTensors& parameters) {
  return std::make_unique<Sgd>(options, parameters);
}

}  // namespace knead::engine::optimize
