#include <algorithm>
#include <cmath>

#include <ATen/ops/addmm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include "runner/engine/optimize/kinds.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"

namespace knead::engine::optimize {
namespace {

/// Updates as torch.optim.Muon does.
class OrthogonalMomentum final : public Rule {
 public:
  explicit OrthogonalMomentum(const recipe::Muon& options)
      : weight_decay_(options.weight_decay),
        momentum_(options.momentum),
        nesterov_(options.nesterov),
        coefficients_(options.ns_coefficients),
        eps_(options.eps),
        iterations_(options.ns_steps),
        matches_adamw_(options.adjust_lr_fn == recipe::Muon::AdjustLrFn::match_rms_adamw) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    return {{"momentum_buffer", at::zeros_like(parameter)}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    for (std::size_t i = 0; i < lists.parameters.size(); ++i) {
      const at::Tensor &parameter = lists.parameters[i], &gradient = lists.gradients[i];
      const at::Tensor& momentum = lists.state[0][i];
      momentum.lerp_(gradient, 1 - momentum_);
      const at::Tensor direction = nesterov_ ? gradient.lerp(momentum, momentum_) : momentum;
      const at::Tensor change = orthogonal(direction);
      parameter.mul_(1 - lr * weight_decay_);
      parameter.add_(change, -lr * ratio(parameter));
    }
  }

  void check(const NamedTensor& parameter) const override {
    if (parameter.tensor.dim() == 2) return;
    throw Error(fmt::format("muon is for matrices, and '{}' has {}", parameter.name,
                            schema::count_words(parameter.tensor.dim(), "dimension")),
                "give such parameters a group with AdamW, as in optimizer.groups: [{ndim_below: 2, "
                "lr: 1e-3, adamw: {}}]",
                Exit::invalid_recipe);
  }

 private:
  /// Returns about the nearest matrix with orthogonal rows or columns, by Newton-Schulz iterations
  /// in bfloat16, as torch.optim.Muon does.
  at::Tensor orthogonal(const at::Tensor& direction) const {
    const bool is_tall = direction.size(0) > direction.size(1);
    at::Tensor matrix = direction.to(at::kBFloat16, /*non_blocking=*/false, /*copy=*/true);
    // The product of a wide matrix with its transpose is the smaller one.
    if (is_tall) matrix = matrix.t();
    matrix.div_(matrix.norm().clamp_(eps_));
    for (std::int64_t i = 0; i < iterations_; ++i) {
      const at::Tensor gram = at::matmul(matrix, matrix.t());
      const at::Tensor change = at::addmm(gram, gram, gram, coefficients_[1], coefficients_[2]);
      matrix = at::addmm(matrix, change, matrix, coefficients_[0]);
    }
    return is_tall ? matrix.t() : matrix;
  }

  /// Returns the factor on lr that makes it suit matrices of any shape.
  double ratio(const at::Tensor& matrix) const {
    const auto rows = static_cast<double>(matrix.size(0));
    const auto columns = static_cast<double>(matrix.size(1));
    return matches_adamw_ ? 0.2 * std::sqrt(std::max(rows, columns))
                          : std::sqrt(std::max(1.0, rows / columns));
  }

  double weight_decay_, momentum_;
  bool nesterov_;
  std::vector<double> coefficients_;
  double eps_;
  std::int64_t iterations_;
  bool matches_adamw_;
};

}  // namespace

MadeRule make_rule(const recipe::Muon& options) {
  return std::make_unique<OrthogonalMomentum>(options);
}

}  // namespace knead::engine::optimize
