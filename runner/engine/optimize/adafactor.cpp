#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

constexpr double kLeastScale = 1e-3;  // torch's default if the recipe has no eps

/// Returns the distance from 1 to the next number of a type, torch's default for the first eps.
double precision_of(at::ScalarType type) {
  switch (type) {
    case at::kDouble: return std::numeric_limits<double>::epsilon();
    case at::kBFloat16: return 0x1p-7;
    case at::kHalf: return 0x1p-10;
    default: return std::numeric_limits<float>::epsilon();
  }
}

/// Returns the Euclidean norm of a tensor.
double length_of(const at::Tensor& tensor) { return tensor.norm(2).item<double>(); }

double root_mean_square(const at::Tensor& tensor) {
  return length_of(tensor) / std::sqrt(static_cast<double>(tensor.numel()));
}

/// Returns the mean of g² over a dimension, without a temporary tensor of the size of g.
at::Tensor mean_square(const at::Tensor& gradient, std::int64_t dimension) {
  return gradient.norm(2, dimension, /*keepdim=*/true).square_().div_(gradient.size(dimension));
}

/// Updates as torch.optim.Adafactor does by default (arXiv 1804.04235), tensor by tensor.
class FactoredSquares final : public Rule {
 public:
  explicit FactoredSquares(const recipe::Adafactor& options)
      : beta2_decay_(options.beta2_decay),
        eps_(options.eps),
        threshold_(options.d),
        weight_decay_(options.weight_decay) {}

  NamedTensors start(const at::Tensor& parameter) const override {
    if (parameter.dim() < 2)
      return {{"variance", at::zeros_like(parameter)}, {"step", zero_count()}};
    std::vector<std::int64_t> rows = parameter.sizes().vec(), columns = rows;
    rows.back() = 1;
    columns[columns.size() - 2] = 1;
    return {{"row_var", at::zeros(rows, parameter.options())},
            {"col_var", at::zeros(columns, parameter.options())},
            {"step", zero_count()}};
  }

  void update(Lists& lists, double lr, double scale) const override {
    lists.scale_gradients(scale);
    const std::vector<double> steps = count_up(lists.state.back());
    for (std::size_t i = 0; i < steps.size(); ++i) update_one(lists, i, steps[i], lr);
  }

 private:
  void update_one(Lists& lists, std::size_t i, double step, double lr) const {
    const at::Tensor &parameter = lists.parameters[i], &gradient = lists.gradients[i];
    const double least = eps_ ? eps_->at(0) : precision_of(parameter.scalar_type());
    const double least_scale = eps_ ? eps_->at(1) : kLeastScale;
    // The rate is at most 1 ÷ √step, relative to the size of the weights.
    const double relative = std::min(lr, 1 / std::sqrt(step));
    const double rate = std::max(least_scale, root_mean_square(parameter)) * relative;
    if (weight_decay_ != 0) parameter.mul_(1 - lr * weight_decay_);
    at::Tensor change = estimate(lists, i, std::pow(step, beta2_decay_), least);
    change.clamp_(least * least).rsqrt_();
    change.mul_(gradient);
    // Limits the root mean square of a change to `d`.
    const double excess = std::max(1.0, root_mean_square(change) / threshold_);
    parameter.add_(change, -rate / excess);
  }

  /// Moves the averages of squares by `weight` towards the gradient's squares, and returns their
  /// estimate for each number. Matrices keep averages of rows and of columns only.
  static at::Tensor estimate(Lists& lists, std::size_t i, double weight, double least) {
    const at::Tensor& gradient = lists.gradients[i];
    if (gradient.dim() < 2) {
      const at::Tensor& variance = lists.state[0][i];
      variance.lerp_(gradient.mul(gradient), weight);
      return variance.clone();
    }
    const at::Tensor &rows = lists.state[0][i], &columns = lists.state[1][i];
    rows.lerp_(mean_square(gradient, -1), weight);
    columns.lerp_(mean_square(gradient, -2), weight);
    return at::matmul(rows, columns).div_(rows.mean(-2, /*keepdim=*/true).clamp_(least));
  }

  double beta2_decay_;
  std::optional<std::vector<double>> eps_;
  double threshold_, weight_decay_;
};

}  // namespace

MadeRule make_rule(const recipe::Adafactor& options) {
  return std::make_unique<FactoredSquares>(options);
}

}  // namespace knead::engine::optimize
