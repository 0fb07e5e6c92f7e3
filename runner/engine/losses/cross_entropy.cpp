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
        class_weights_(options.weight) {}

  const std::string& target() const override { return target_; }
  double weight(const at::Tensor& target) override;
  at::Tensor sum(const at::Tensor& output, const at::Tensor& target) override;

 private:
  void expect_classes(const at::Tensor& output, const at::Tensor& target);
  void expect_probabilities(const at::Tensor& output, const at::Tensor& target) const;
  void expect_class_weights(std::int64_t classes) const;
  const std::optional<at::Tensor>& class_weights_like(const at::Tensor& output);

  std::string target_;
  std::int64_t ignore_index_;
  double label_smoothing_;
  std::optional<std::vector<double>> class_weights_;
  std::optional<at::Tensor> class_weight_tensor_;  // the same, as the output's type, on its device
  std::int64_t classes_ = 0;                       // how many the output has; 0: not seen yet
};

double CrossEntropy::weight(const at::Tensor& target) {
  // Torch's mean over probabilities is one over items, whatever the classes weigh.
  if (!holds_classes(target))
    return static_cast<double>(target.numel()) /
           static_cast<double>(target.dim() > 1 ? target.size(1) : 1);
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
  if (of_classes) {
    expect_classes(output, target);
  } else {
    expect_probabilities(output, target);
  }
  expect_class_weights(output.size(1));
  return at::cross_entropy_loss(output, target.to(of_classes ? at::kLong : output.scalar_type()),
                                class_weights_like(output), at::Reduction::Sum, ignore_index_,
                                label_smoothing_);
}

void CrossEntropy::expect_classes(const at::Tensor& output, const at::Tensor& target) {
  expect_fit(output, target, "cross_entropy", target_);
  // A device other than the CPU would have to be waited for: once, and then weight sees to it.
  if (target.is_cpu() || classes_ != output.size(1))
    expect_in_range(target.cpu(), {output.size(1), "the output"}, ignore_index_, target_);
  classes_ = output.size(1);
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
