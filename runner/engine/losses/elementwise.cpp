#include "runner/engine/losses/elementwise.h"

#include <functional>

#include <ATen/core/Reduction.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/hinge_embedding_loss.h>
#include <ATen/ops/huber_loss.h>
#include <ATen/ops/kl_div.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/poisson_nll_loss.h>
#include <ATen/ops/smooth_l1_loss.h>
#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"
#include "schema/document/scalar.h"

namespace knead::engine::losses {
namespace {

/// Returns the shape without a last dimension of 1: a column (N, 1) counts as (N).
at::IntArrayRef without_column(at::IntArrayRef shape) {
  return shape.size() == 2 && shape.back() == 1 ? shape.slice(0, 1) : shape;
}

/// Computes a loss whose mean is over all numbers of the target.
class Elementwise final : public Loss {
 public:
  /// Returns the sum of the loss over two tensors of one shape.
  using Sum = std::function<at::Tensor(const at::Tensor& output, const at::Tensor& target)>;
  /// Throws knead::Error for a target that the loss does not take.
  using Check = std::function<void(const at::Tensor& target)>;

  Elementwise(std::string kind, std::string target, Sum sum, Check check = {})
      : kind_(std::move(kind)),
        fields_{std::move(target)},
        sum_(std::move(sum)),
        check_(std::move(check)) {}

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const at::Tensor numbers = output.tensor();
    const at::Tensor& target = samples.at(fields_[0]);
    if (check_) check_(target);  // in host memory: the device is not waited for
    return {sum_(numbers, aligned(samples.on_device(fields_[0]), numbers, kind_, fields_[0])),
            static_cast<double>(target.numel())};
  }

 private:
  std::string kind_;
  std::vector<std::string> fields_;
  Sum sum_;
  Check check_;
};

/// Computes the Kullback-Leibler divergence, whose mean is over numbers or over samples.
class KlDiv final : public Loss {
 public:
  explicit KlDiv(const recipe::KlDiv& options)
      : fields_{options.target},
        log_target_(options.log_target),
        by_samples_(options.reduction == recipe::KlDiv::Reduction::batchmean) {}

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const at::Tensor numbers = output.tensor();
    const at::Tensor& target = samples.at(fields_[0]);
    const at::Tensor& there = samples.on_device(fields_[0]);
    const at::Tensor sum = at::kl_div(numbers, aligned(there, numbers, "kl_div", fields_[0]),
                                      at::Reduction::Sum, log_target_);
    return {sum, static_cast<double>(by_samples_ ? samples.count : target.numel())};
  }

 private:
  std::vector<std::string> fields_;
  bool log_target_, by_samples_;
};

/// Returns factors by label, on the device of an output and in the dtype of options_beside().
/// Throws knead::Error unless there is one for each label, or one for all.
std::optional<at::Tensor> factors(const std::optional<std::vector<double>>& written,
                                  const at::Tensor& output, const char* key) {
  if (!written) return std::nullopt;
  const auto count = static_cast<std::int64_t>(written->size());
  const std::int64_t labels = output.dim() > 1 ? output.size(-1) : 1;
  if (count != 1 && count != labels)
    throw Error(fmt::format("loss.{} has {} numbers, and the output {}", key, count,
                            schema::count_words(labels, "label")),
                "write one for each label, or one for all");
  // Copied, because the blob does not own the numbers.
  return at::from_blob(const_cast<double*>(written->data()), count, at::kDouble)
      .to(options_beside(output), /*non_blocking=*/false, /*copy=*/true);
}

/// Throws knead::Error if a target holds a number outside [0, 1].
void expect_shares(const at::Tensor& target, const std::string& field) {
  if (!at::isFloatingType(target.scalar_type()) && target.scalar_type() == at::kBool) return;
  const at::Tensor wrong = target.lt(0).logical_or_(target.gt(1));
  if (!wrong.any().item<bool>()) return;
  const double first = target.masked_select(wrong)[0].item<double>();
  throw Error(fmt::format("the target '{}' holds {}: bce_with_logits needs 0, 1 or a probability",
                          field, schema::number_text(first)),
              "for one of several classes take cross_entropy");
}

}  // namespace

at::Tensor aligned(const at::Tensor& target, const at::Tensor& output, const std::string& asker,
                   const std::string& field) {
  if (without_column(output.sizes()) != without_column(target.sizes()))
    throw UnfitOutput(
        fmt::format("the output has the shape {}, the target '{}' {}: {} needs equal shapes",
                    shape_words(output.sizes()), field, shape_words(target.sizes()), asker),
        fmt::format("change the model's output or the columns of the field '{}'", field));
  return on_device(target).to(options_beside(output)).reshape(output.sizes());
}

void expect_signs(const at::Tensor& target, const std::string& asker, const std::string& field) {
  const at::Tensor wrong = target.abs().ne(1);
  if (!wrong.any().item<bool>()) return;
  const double first = target.masked_select(wrong)[0].item<double>();
  throw Error(
      fmt::format("the target '{}' holds {}: {} needs 1 and -1", field, schema::number_text(first),
                  asker),
      fmt::format("write scale: 2 and offset: -1 in its field if '{}' holds 1 and 0", field));
}

std::unique_ptr<Loss> make_elementwise(const recipe::Mse& options) {
  return std::make_unique<Elementwise>("mse", options.target,
                                       [](const auto& output, const auto& target) {
                                         return at::mse_loss(output, target, at::Reduction::Sum);
                                       });
}

std::unique_ptr<Loss> make_elementwise(const recipe::L1& options) {
  return std::make_unique<Elementwise>("l1", options.target,
                                       [](const auto& output, const auto& target) {
                                         return at::l1_loss(output, target, at::Reduction::Sum);
                                       });
}

std::unique_ptr<Loss> make_elementwise(const recipe::SmoothL1& options) {
  const double beta = options.beta;
  return std::make_unique<Elementwise>(
      "smooth_l1", options.target, [beta](const auto& output, const auto& target) {
        // The kernel would divide by 0; torch.nn.functional.smooth_l1_loss also takes l1_loss here.
        if (beta == 0) return at::l1_loss(output, target, at::Reduction::Sum);
        return at::smooth_l1_loss(output, target, at::Reduction::Sum, beta);
      });
}

std::unique_ptr<Loss> make_elementwise(const recipe::Huber& options) {
  const double delta = options.delta;
  return std::make_unique<Elementwise>(
      "huber", options.target, [delta](const auto& output, const auto& target) {
        return at::huber_loss(output, target, at::Reduction::Sum, delta);
      });
}

std::unique_ptr<Loss> make_elementwise(const recipe::BceWithLogits& options) {
  const auto sum = [options](const at::Tensor& output, const at::Tensor& target) {
    return at::binary_cross_entropy_with_logits(
        output, target, factors(options.weight, output, "weight"),
        factors(options.pos_weight, output, "pos_weight"), at::Reduction::Sum);
  };
  return std::make_unique<Elementwise>(
      "bce_with_logits", options.target, sum,
      [field = options.target](const at::Tensor& target) { expect_shares(target, field); });
}

std::unique_ptr<Loss> make_elementwise(const recipe::KlDiv& options) {
  return std::make_unique<KlDiv>(options);
}

std::unique_ptr<Loss> make_elementwise(const recipe::PoissonNll& options) {
  return std::make_unique<Elementwise>(
      "poisson_nll", options.target, [options](const auto& output, const auto& target) {
        return at::poisson_nll_loss(output, target, options.log_input, options.full, options.eps,
                                    at::Reduction::Sum);
      });
}

std::unique_ptr<Loss> make_elementwise(const recipe::HingeEmbedding& options) {
  const double margin = options.margin;
  return std::make_unique<Elementwise>(
      "hinge_embedding", options.target,
      [margin](const auto& output, const auto& target) {
        return at::hinge_embedding_loss(output, target, margin, at::Reduction::Sum);
      },
      [field = options.target](const at::Tensor& target) {
        expect_signs(target, "hinge_embedding", field);
      });
}

}  // namespace knead::engine::losses
