#include "runner/engine/optimize/sgd.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/saved_state.h"

namespace knead::engine::optimize {
namespace {

/// The tensors of one call of the kernel, item by item. Gradients are there during a step only. A
/// first update makes the gradient the momentum, without dampening: in torch each parameter's own,
/// so that those that join late are a call for themselves.
struct Group {
  std::vector<at::Tensor> parameters, gradients, momentum_buffers;
  bool is_first = false;
  GradientScale scale;
};

class Sgd final : public Optimizer {
 public:
  Sgd(const recipe::Sgd& options, const NamedTensors& parameters)
      : parameters_(parameters),
        grouping_(group_parameters(parameters)),
        momentum_buffers_(parameters.size()),
        group_of_(parameters.size()),
        momentum_(options.momentum),
        dampening_(options.dampening),
        weight_decay_(options.weight_decay),
        nesterov_(options.nesterov) {}

  void step(double lr, double scale) override {
    const at::NoGradGuard no_grad;
    if (participants_.changed(parameters_)) list_participants();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (participants_.has(i))
        groups_[group_of_[i]].gradients.push_back(ordered_gradient(parameters_[i]));
    }
    for (Group& group : groups_) {
      if (group.parameters.empty()) continue;
      update(group, lr, scale);
      group.gradients.clear();
      if (group.is_first) participants_.forget();  // the next is a later one
    }
  }

  NamedTensors state() const override;
  void restore(const NamedTensors& saved) override;

 private:
  void list_participants();
  void update(Group& group, double lr, double scale) const;

  NamedTensors parameters_;
  Grouping grouping_;
  std::vector<at::Tensor> momentum_buffers_;  // of each parameter; undefined until an update
  std::vector<Group> groups_;          // two for each of grouping_: first updates, later ones
  std::vector<std::size_t> group_of_;  // of each parameter, an index of groups_
  Participants participants_;          // who is in the lists of the groups
  double momentum_, dampening_, weight_decay_;
  bool nesterov_;
};

void Sgd::list_participants() {
  groups_ = std::vector<Group>(2 * grouping_.count);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!participants_.has(i)) continue;
    const at::Tensor& parameter = parameters_[i].tensor;
    at::Tensor& buffer = momentum_buffers_[i];
    const bool is_first = momentum_ != 0 && !buffer.defined();
    if (is_first) buffer = at::empty_like(parameter);
    group_of_[i] = 2 * grouping_.of[i] + (is_first ? 0 : 1);
    Group& group = groups_[group_of_[i]];
    group.is_first = is_first;
    group.parameters.push_back(parameter);
    if (momentum_ != 0) group.momentum_buffers.push_back(buffer);
  }
}

void Sgd::update(Group& group, double lr, double scale) const {
  at::_fused_sgd_(group.parameters, group.gradients, group.momentum_buffers, weight_decay_,
                  momentum_, lr, dampening_, nesterov_, /*maximize=*/false, group.is_first,
                  group.scale.divisor(scale, group.gradients));
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
  participants_.forget();
}

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const recipe::Sgd& options, const NamedTensors& parameters) {
  return std::make_unique<Sgd>(options, parameters);
}

}  // namespace knead::engine::optimize
