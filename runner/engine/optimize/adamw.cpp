#include "runner/engine/optimize/adamw.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "runner/engine/optimize/fused.h"
#include "runner/engine/optimize/saved_state.h"

namespace knead::engine::optimize {
namespace {

/// What is remembered of a parameter; undefined until it has had a gradient.
struct Moments {
  at::Tensor exp_avg, exp_avg_sq, max_exp_avg_sq, step;
};

/// The tensors of one call of the kernel, item by item. Gradients are there during a step only.
struct Group {
  std::vector<at::Tensor> parameters, gradients, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps;
  GradientScale scale;
};

class AdamW final : public Optimizer {
 public:
  AdamW(const recipe::AdamW& options, const NamedTensors& parameters)
      : parameters_(parameters),
        grouping_(group_parameters(parameters)),
        moments_(parameters.size()),
        groups_(grouping_.count),
        beta1_(options.betas[0]),
        beta2_(options.betas[1]),
        eps_(options.eps),
        weight_decay_(options.weight_decay),
        amsgrad_(options.amsgrad) {}

  void step(double lr, double scale) override {
    const at::NoGradGuard no_grad;
    if (participants_.changed(parameters_)) list_participants();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (participants_.has(i))
        groups_[grouping_.of[i]].gradients.push_back(ordered_gradient(parameters_[i]));
    }
    for (Group& group : groups_) {
      if (group.parameters.empty()) continue;
      update(group, lr, scale);
      group.gradients.clear();
    }
  }

  NamedTensors state() const override;
  void restore(const NamedTensors& saved) override;

 private:
  Moments start(const at::Tensor& parameter) const;
  void list_participants();
  void update(Group& group, double lr, double scale) const;

  NamedTensors parameters_;
  Grouping grouping_;
  std::vector<Moments> moments_;  // of each parameter
  std::vector<Group> groups_;
  Participants participants_;  // who is in the lists of the groups
  double beta1_, beta2_, eps_, weight_decay_;
  bool amsgrad_;
};

Moments AdamW::start(const at::Tensor& parameter) const {
  Moments moments;
  moments.exp_avg = at::zeros_like(parameter);
  moments.exp_avg_sq = at::zeros_like(parameter);
  if (amsgrad_) moments.max_exp_avg_sq = at::zeros_like(parameter);
  moments.step = at::zeros({}, parameter.options().dtype(at::kFloat));
  return moments;
}

void AdamW::list_participants() {
  for (Group& group : groups_) group = Group();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!participants_.has(i)) continue;
    const at::Tensor& parameter = parameters_[i].tensor;
    Moments& moments = moments_[i];
    if (!moments.step.defined()) moments = start(parameter);
    Group& group = groups_[grouping_.of[i]];
    group.parameters.push_back(parameter);
    group.exp_avgs.push_back(moments.exp_avg);
    group.exp_avg_sqs.push_back(moments.exp_avg_sq);
    if (amsgrad_) group.max_exp_avg_sqs.push_back(moments.max_exp_avg_sq);
    group.steps.push_back(moments.step);
  }
}

void AdamW::update(Group& group, double lr, double scale) const {
  count_update(group.steps);
  at::_fused_adamw_(group.parameters, group.gradients, group.exp_avgs, group.exp_avg_sqs,
                    group.max_exp_avg_sqs, group.steps, lr, beta1_, beta2_, weight_decay_, eps_,
                    amsgrad_, /*maximize=*/false, group.scale.divisor(scale, group.gradients));
}

NamedTensors AdamW::state() const {
  NamedTensors out;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [exp_avg, exp_avg_sq, max_exp_avg_sq, step] = moments_[i];
    if (!step.defined()) continue;
    const std::string prefix = parameters_[i].name + "/";
    out.push_back({prefix + "exp_avg", exp_avg});
    out.push_back({prefix + "exp_avg_sq", exp_avg_sq});
    if (amsgrad_) out.push_back({prefix + "max_exp_avg_sq", max_exp_avg_sq});
    out.push_back({prefix + "step", step});
  }
  return out;
}

void AdamW::restore(const NamedTensors& saved) {
  SavedState state(saved);
  std::vector<Moments> restored(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [name, parameter] = parameters_[i];
    if (!state.holds(name)) continue;
    const Moments like = start(parameter);
    restored[i].exp_avg = state.take(name + "/exp_avg", like.exp_avg);
    restored[i].exp_avg_sq = state.take(name + "/exp_avg_sq", like.exp_avg_sq);
    if (amsgrad_)
      restored[i].max_exp_avg_sq = state.take(name + "/max_exp_avg_sq", like.max_exp_avg_sq);
    restored[i].step = state.take(name + "/step", like.step);
  }
  state.expect_all_taken();
  moments_ = std::move(restored);
  participants_.forget();
}

}  // namespace

std::unique_ptr<Optimizer> make_adamw(const recipe::AdamW& options,
                                      const NamedTensors& parameters) {
  return std::make_unique<AdamW>(options, parameters);
}

}  // namespace knead::engine::optimize
