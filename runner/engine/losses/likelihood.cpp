#include "runner/engine/losses/likelihood.h"

#include <optional>

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/nll_loss_nd.h>
#include <fmt/format.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

/// Holds the options that cross_entropy and nll have in common.
struct Options {
  std::string kind, target;
  std::int64_t ignore_index;
  std::optional<std::vector<double>> class_weights;
  std::optional<ClassDim> class_dim;
  std::optional<double> label_smoothing;  // of cross_entropy, which takes logits; none for nll
};

/// Computes cross_entropy and nll: the sum by torch's operators, its weight on the host.
class Likelihood final : public Loss {
 public:
  explicit Likelihood(Options options) : options_(std::move(options)), fields_{options_.target} {}

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const at::Tensor scores = output.tensor();
    const at::Tensor& target = samples.at(options_.target);
    const at::Tensor& there = samples.on_device(options_.target);
    return holds_classes(target) ? of_classes(scores, target, there)
                                 : of_probabilities(scores, target, there);
  }

 private:
  // `target` lies in host memory, `there` on the device.
  Part of_classes(const at::Tensor& output, const at::Tensor& target, const at::Tensor& there);
  Part of_probabilities(const at::Tensor& output, const at::Tensor& target,
                        const at::Tensor& there);
  /// Returns the divisor of torch's mean: Σ of class weights, or 1, over items that are not
  /// ignored.
  double weight_of(const at::Tensor& classes) const;
  /// Returns the sum of the loss over all items.
  at::Tensor sum_of(const at::Tensor& scores, const at::Tensor& target);
  void expect_probabilities(const at::Tensor& output, const at::Tensor& target) const;
  void expect_class_weights(std::int64_t classes) const;
  /// Returns the class weights with the device and dtype for an output; keeps them between calls.
  const std::optional<at::Tensor>& class_weights_like(const at::Tensor& output);

  Options options_;
  std::vector<std::string> fields_;
  std::optional<at::Tensor> class_weight_tensor_;  // for the dtype and device of outputs
};

Part Likelihood::of_classes(const at::Tensor& output, const at::Tensor& target,
                            const at::Tensor& there) {
  const ClassDim dim =
      find_class_dim(output, target, options_.class_dim, options_.kind, options_.target);
  const std::int64_t count = count_classes(output, dim);
  // Checked on the host: on a GPU a class out of range fails in an assertion of the kernel, which
  // does not name it and leaves the device unusable.
  expect_in_range(target, {count, "the output"}, options_.ignore_index, options_.target);
  expect_class_weights(count);
  const at::Tensor classes = there.to(at::kLong);
  const at::Tensor sum = dim == ClassDim::second
                             ? sum_of(output, classes)
                             : sum_of(scores_of_items(output, dim), classes.reshape(-1));
  return {sum, weight_of(target)};
}

Part Likelihood::of_probabilities(const at::Tensor& output, const at::Tensor& target,
                                  const at::Tensor& there) {
  expect_probabilities(output, target);
  const ClassDim dim = options_.class_dim == ClassDim::last ? ClassDim::last : ClassDim::second;
  const std::int64_t count = count_classes(output, dim);
  expect_class_weights(count);
  const at::Tensor shares = there.to(options_beside(output));
  const at::Tensor sum = dim == ClassDim::second
                             ? sum_of(output, shares)
                             : sum_of(scores_of_items(output, dim), scores_of_items(shares, dim));
  // Torch averages losses of probabilities over the items, whatever the classes weigh.
  return {sum, static_cast<double>(target.numel()) / static_cast<double>(count)};
}

double Likelihood::weight_of(const at::Tensor& classes) const {
  const at::Tensor flat = classes.to(at::kLong).contiguous();
  const std::int64_t* values = flat.const_data_ptr<std::int64_t>();
  double sum = 0;
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    if (values[i] == options_.ignore_index) continue;
    // In range: of_classes() has checked the classes.
    sum += options_.class_weights ? (*options_.class_weights)[values[i]] : 1;
  }
  return sum;
}

at::Tensor Likelihood::sum_of(const at::Tensor& scores, const at::Tensor& target) {
  const auto& weights = class_weights_like(scores);
  if (!options_.label_smoothing)
    return at::nll_loss_nd(scores, target, weights, at::Reduction::Sum, options_.ignore_index);
  return at::cross_entropy_loss(scores, target, weights, at::Reduction::Sum, options_.ignore_index,
                                *options_.label_smoothing);
}

void Likelihood::expect_probabilities(const at::Tensor& output, const at::Tensor& target) const {
  const std::string field = options_.target;
  if (!options_.label_smoothing)
    throw Error(fmt::format("the target '{}' is of {}: nll needs whole numbers for classes", field,
                            dtype_words(target.scalar_type())),
                fmt::format("if '{}' holds classes, write dtype: int64 in its field", field));
  if (output.sizes() != target.sizes() || output.dim() < 2)
    throw UnfitOutput(
        fmt::format("the output has the shape {}, the target '{}', of {}, {}: cross_entropy needs "
                    "whole numbers for classes, equal shapes for probabilities",
                    shape_words(output.sizes()), field, dtype_words(target.scalar_type()),
                    shape_words(target.sizes())),
        fmt::format("if '{}' holds classes, write dtype: int64 in its field", field));
  if (options_.ignore_index >= 0)
    throw Error(fmt::format("the target '{}' holds probabilities, of which loss.ignore_index: {} "
                            "cannot leave any out",
                            field, options_.ignore_index),
                "leave out loss.ignore_index");
}

void Likelihood::expect_class_weights(std::int64_t classes) const {
  const auto& weights = options_.class_weights;
  if (!weights || static_cast<std::int64_t>(weights->size()) == classes) return;
  throw Error(fmt::format("loss.weight has {} numbers, and the output {} classes", weights->size(),
                          classes),
              "write a weight for each class");
}

const std::optional<at::Tensor>& Likelihood::class_weights_like(const at::Tensor& output) {
  auto& tensor = class_weight_tensor_;
  if (!options_.class_weights) return tensor;
  const at::TensorOptions options = options_beside(output);
  if (!tensor || tensor->dtype() != options.dtype() || tensor->device() != options.device()) {
    const auto count = static_cast<std::int64_t>(options_.class_weights->size());
    // Copied, because the blob does not own the numbers.
    tensor = at::from_blob(options_.class_weights->data(), count, at::kDouble)
                 .to(options, /*non_blocking=*/false, /*copy=*/true);
  }
  return tensor;
}

}  // namespace

std::unique_ptr<Loss> make_cross_entropy(const recipe::CrossEntropy& options) {
  return std::make_unique<Likelihood>(Options{"cross_entropy", options.target, options.ignore_index,
                                              options.weight, class_dim_of(options.class_dim),
                                              options.label_smoothing});
}

std::unique_ptr<Loss> make_nll(const recipe::Nll& options) {
  return std::make_unique<Likelihood>(Options{"nll", options.target, options.ignore_index,
                                              options.weight, class_dim_of(options.class_dim),
                                              std::nullopt});
}

}  // namespace knead::engine::losses
