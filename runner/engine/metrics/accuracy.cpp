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

class Accuracy final : public Metric {
 public:
  Accuracy(const recipe::Accuracy& options, std::string field, std::optional<std::int64_t> ignored)
      : top_(options.top),
        name_(top_ == 1 ? "accuracy" : fmt::format("accuracy_top{}", top_)),
        field_(std::move(field)),
        ignored_(ignored) {}

  const std::string& name() const override { return name_; }
  void add(const at::Tensor& output, const at::Tensor& target) override;
  double value() const override {
    return items_ > 0 ? static_cast<double>(right_) / static_cast<double>(items_)
                      : std::numeric_limits<double>::quiet_NaN();
  }
  void reset() override { right_ = items_ = 0; }

 private:
  void expect_fit(const at::Tensor& output, const at::Tensor& target) const;

  std::int64_t top_;
  std::string name_, field_;
  std::optional<std::int64_t> ignored_;
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
  expect_fit(output, target);
  const at::Tensor scores = output.movedim(1, -1).reshape({-1, output.size(1)});
  const at::Tensor classes = target.to(at::kLong).reshape({-1});
  const at::Tensor counts = ignored_ ? classes.ne(*ignored_) : classes.ge(0);
  const at::Tensor higher = higher_classes(scores, classes.masked_fill(counts.logical_not(), 0));
  right_ += higher.lt(top_).logical_and_(counts).sum().item<std::int64_t>();
  items_ += counts.sum().item<std::int64_t>();
}

void Accuracy::expect_fit(const at::Tensor& output, const at::Tensor& target) const {
  if (!losses::holds_classes(target))
    throw Error(fmt::format("the target '{}' is of {}: {} needs whole numbers for classes", field_,
                            dtype_words(target.scalar_type()), name_),
                fmt::format("if '{}' holds classes, write dtype: int64 in its field", field_));
  losses::expect_fit(output, target, name_, field_);
  const std::int64_t classes = output.size(1);
  losses::expect_in_range(target.cpu(), {classes, "the output"}, ignored_, field_);
  if (top_ >= classes)
    throw Error(fmt::format("{} is always 1 for an output of {} classes", name_, classes),
                fmt::format("write a top below {}", classes));
}

/// The class that the loss leaves out.
struct Ignored {
  std::optional<std::int64_t> operator()(const recipe::CrossEntropy& loss) const {
    return loss.ignore_index;
  }
  std::optional<std::int64_t> operator()(const recipe::Mse&) const { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Metric> make_accuracy(const recipe::Accuracy& options, const recipe::Loss& loss) {
  const auto field = std::visit([](const auto& kind) { return kind.target; }, loss);
  return std::make_unique<Accuracy>(options, field, std::visit(Ignored{}, loss));
}

}  // namespace knead::engine::metrics
