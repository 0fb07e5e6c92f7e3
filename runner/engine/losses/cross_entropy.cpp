#include "runner/engine/losses/cross_entropy.h"

#include <optional>
#include <vector>

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor_words.h"
#include "schema/error.h"

namespace knead::engine::losses {
namespace {

class CrossEntropy final : public Loss {
 public:
  explicit CrossEntropy(const recipe::CrossEntropy& options)
      : target_(options.target),
        ignore_index_(options.ignore_index),
        label_smoothing_(options.label_smoothing),
        class_weights_(options.weight),
        class_dim_(class_dim_of(options.class_dim)) {}

  const std::string& target() const override { return target_; }
  double weight(const at::Tensor& target) override;
  at::Tensor sum(const at::Tensor& output, const at::Tensor& target) override;

 private:
  ClassDim expect_classes(const at::Tensor& output, const at::Tensor& target);
  void expect_probabilities(const at::Tensor& output, const at::Tensor& target) const;
  void expect_class_weights(std::int64_t classes) const;
  const std::optional<at::Tensor>& class_weights_like(const at::Tensor& output);

  std::string target_;
  std::int64_t ignore_index_;
  double label_smoothing_;
  std::optional<std::vector<double>> class_weights_;
  /// Of scores and probabilities of the same shape, which do not tell.
  ClassDim usual_dim() const {
    return class_dim_ == ClassDim::last ? *class_dim_ : ClassDim::second;
  }

  std::optional<ClassDim> class_dim_;
  std::optional<at::Tensor> class_weight_tensor_;  // the same, as the output's type, on its device
  std::int64_t classes_ = 0;                       // how many the output has; 0: not seen yet
};

double CrossEntropy::weight(const at::Tensor& target) {
  // Torch's mean over probabilities is one over items, whatever the classes weigh.
  if (!holds_classes(target))
    return static_cast<double>(target.numel()) /
           static_cast<double>(count_classes(target, usual_dim()));
  if (class_weights_) {
    const auto count = static_cast<std::int64_t>(class_weights_->size());
    expect_in_range(target, {count, "loss.weight"}, ignore_index_, target_);
  } else if (classes_ > 0) {
    expect_in_range(target, {classes_, "the output"}, ignore_index_, target_);
  }
  const at::Tensor flat = target.to(at::kLong).contiguous();
  const std::int64_t* classes = flat.const_data_ptr<std::int64_t>();
  double sum = 0;
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    if (classes[i] == ignore_index_) continue;
    sum += class_weights_ ? (*class_weights_)[classes[i]] : 1;
  }
  return sum;
}

at::Tensor CrossEntropy::sum(const at::Tensor& output, const at::Tensor& target) {
  const bool of_classes = holds_classes(target);
  if (!of_classes) expect_probabilities(output, target);
  const ClassDim dim = of_classes ? expect_classes(output, target) : usual_dim();
  expect_class_weights(count_classes(output, dim));
  const at::Tensor right = target.to(of_classes ? at::kLong : output.scalar_type());
  const auto sum_of = [&](const at::Tensor& scores, const at::Tensor& of) {
    return at::cross_entropy_loss(scores, of, class_weights_like(output), at::Reduction::Sum,
                                  ignore_index_, label_smoothing_);
  };
  if (dim == ClassDim::second) return sum_of(output, right);
  return sum_of(scores_of_items(output, dim),
                of_classes ? right.reshape(-1) : scores_of_items(right, dim));
}

ClassDim CrossEntropy::expect_classes(const at::Tensor& output, const at::Tensor& target) {
  const ClassDim dim = find_class_dim(output, target, class_dim_, "cross_entropy", target_);
  const std::int64_t count = count_classes(output, dim);
  // A device other than the CPU would have to be waited for: once, and then weight sees to it.
  if (target.is_cpu() || classes_ != count)
    expect_in_range(target.cpu(), {count, "the output"}, ignore_index_, target_);
  classes_ = count;
  return dim;
}

void CrossEntropy::expect_probabilities(const at::Tensor& output, const at::Tensor& target) const {
  if (output.sizes() != target.sizes() || output.dim() < 2)
    throw Error(
        fmt::format("the output has the shape {}, the target '{}', of {}, {}: cross_entropy needs "
                    "whole numbers for classes, equal shapes for probabilities",
                    shape_words(output.sizes()), target_, dtype_words(target.scalar_type()),
                    shape_words(target.sizes())),
        fmt::format("if '{}' holds classes, write dtype: int64 in its field", target_));
  if (ignore_index_ >= 0)
    throw Error(fmt::format("the target '{}' holds probabilities, of which loss.ignore_index: {} "
                            "cannot leave any out",
                            target_, ignore_index_),
                "leave out loss.ignore_index");
}

void CrossEntropy::expect_class_weights(std::int64_t classes) const {
  if (!class_weights_ || static_cast<std::int64_t>(class_weights_->size()) == classes) return;
  throw Error(fmt::format("loss.weight has {} numbers, and the output {} classes",
                          class_weights_->size(), classes),
              "write a weight for each class");
}

const std::optional<at::Tensor>& CrossEntropy::class_weights_like(const at::Tensor& output) {
  if (!class_weights_) return class_weight_tensor_;
  auto& tensor = class_weight_tensor_;
  if (!tensor || tensor->scalar_type() != output.scalar_type() ||
      tensor->device() != output.device()) {
    const auto count = static_cast<std::int64_t>(class_weights_->size());
    tensor = at::from_blob(class_weights_->data(), count, at::kDouble)
                 .to(output.options(), /*non_blocking=*/false, /*copy=*/true);
  }
  return tensor;
}

}  // namespace

std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options) {
  return std::make_unique<CrossEntropy>(options);
}

}  // namespace knead::engine::losses
