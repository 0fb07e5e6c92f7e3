#include "runner/engine/metrics/accuracy.h"

#include <limits>
#include <optional>
#include <variant>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <fmt/format.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor_words.h"
#include "schema/error.h"

namespace knead::engine::metrics {
namespace {

/// What the loss says of classes.
struct Classes {
  std::optional<std::int64_t> ignored;
  std::optional<losses::ClassDim> dim;
};

class Accuracy final : public Metric {
 public:
  Accuracy(const recipe::Accuracy& options, std::string field, Classes classes)
      : top_(options.top),
        name_(top_ == 1 ? "accuracy" : fmt::format("accuracy_top{}", top_)),
        field_(std::move(field)),
        loss_(classes) {}

  const std::string& name() const override { return name_; }
  void add(const at::Tensor& output, const at::Tensor& target) override;
  double value() const override {
    return items_ > 0 ? static_cast<double>(right_) / static_cast<double>(items_)
                      : std::numeric_limits<double>::quiet_NaN();
  }
  void reset() override { right_ = items_ = 0; }

 private:
  losses::ClassDim expect_fit(const at::Tensor& output, const at::Tensor& target) const;

  std::int64_t top_;
  std::string name_, field_;
  Classes loss_;
  std::int64_t right_ = 0, items_ = 0;
};

/// For each item, how many classes score higher than the right one; all, if that is NaN.
at::Tensor higher_classes(const at::Tensor& scores, const at::Tensor& classes) {
  const at::Tensor right = classes.unsqueeze(1);
  const at::Tensor score = scores.gather(1, right);
  const at::Tensor not_before = at::arange(scores.size(1), classes.options()).ge(right);
  const at::Tensor not_higher =
      scores.lt(score).logical_or_(scores.eq(score).logical_and_(not_before));
  return not_higher.logical_not().sum(1);
}

void Accuracy::add(const at::Tensor& output, const at::Tensor& target) {
  const at::NoGradGuard no_grad;
  const at::Tensor scores = losses::scores_of_items(output, expect_fit(output, target));
  const at::Tensor classes = target.to(at::kLong).reshape({-1});
  const at::Tensor counts = loss_.ignored ? classes.ne(*loss_.ignored) : classes.ge(0);
  const at::Tensor higher = higher_classes(scores, classes.masked_fill(counts.logical_not(), 0));
  right_ += higher.lt(top_).logical_and_(counts).sum().item<std::int64_t>();
  items_ += counts.sum().item<std::int64_t>();
}

losses::ClassDim Accuracy::expect_fit(const at::Tensor& output, const at::Tensor& target) const {
  if (!losses::holds_classes(target))
    throw Error(fmt::format("the target '{}' is of {}: {} needs whole numbers for classes", field_,
                            dtype_words(target.scalar_type()), name_),
                fmt::format("if '{}' holds classes, write dtype: int64 in its field", field_));
  const auto dim = losses::find_class_dim(output, target, loss_.dim, name_, field_);
  const std::int64_t classes = losses::count_classes(output, dim);
  losses::expect_in_range(target.cpu(), {classes, "the output"}, loss_.ignored, field_);
  if (top_ >= classes)
    throw Error(fmt::format("{} is always 1 for an output of {} classes", name_, classes),
                fmt::format("write a top below {}", classes));
  return dim;
}

struct ClassesOf {
  Classes operator()(const recipe::CrossEntropy& loss) const {
    return {loss.ignore_index, losses::class_dim_of(loss.class_dim)};
  }
  Classes operator()(const recipe::Mse&) const { return {}; }
};

}  // namespace

std::unique_ptr<Metric> make_accuracy(const recipe::Accuracy& options, const recipe::Loss& loss) {
  const auto field = std::visit([](const auto& kind) { return kind.target; }, loss);
  return std::make_unique<Accuracy>(options, field, std::visit(ClassesOf{}, loss));
}

}  // namespace knead::engine::metrics
