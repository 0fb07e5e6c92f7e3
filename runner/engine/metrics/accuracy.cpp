#include "runner/engine/metrics/accuracy.h"

#include <limits>

#include <ATen/ops/arange.h>
#include <fmt/format.h>

#include "runner/engine/metrics/compared.h"
#include "schema/document/error.h"

namespace knead::engine::metrics {
namespace {

/// Returns for each item how many classes rank above its own; all classes if its own score is NaN.
/// scores: (items, C), classes: (items).
at::Tensor higher_classes(const at::Tensor& scores, const at::Tensor& classes) {
  const at::Tensor right = classes.unsqueeze(1);
  const at::Tensor score = scores.gather(1, right);
  const at::Tensor not_before = at::arange(scores.size(1), classes.options()).ge(right);
  // Asks which classes are not higher: a comparison with NaN is false, so NaN counts as higher.
  const at::Tensor not_higher =
      scores.lt(score).logical_or_(scores.eq(score).logical_and_(not_before));
  return not_higher.logical_not().sum(1);
}

/// Computes the share of right items. State: number of right items, number of items.
class Accuracy final : public Compared {
 public:
  Accuracy(const recipe::Accuracy& options, const Surroundings& around)
      : Compared(sides_of(options, around)),
        top_(options.top),
        threshold_(options.threshold),
        rules_(rules_of(options, around)) {}

  double value(const State& total) const override {
    return !total.empty() && total[1] > 0 ? total[0] / total[1]
                                          : std::numeric_limits<double>::quiet_NaN();
  }

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override {
    if (top_ == 1 && are_labels(output, target)) {
      const LabelItems items = label_items(output, target, name(), field());
      const at::Tensor right = items.scores.gt(threshold_).eq(items.right);
      return {right.sum().item<double>(), static_cast<double>(right.numel())};
    }
    const ClassItems items = class_items(output, target, rules_, name(), field());
    expect_more_than_top(items.scores.size(1));
    const at::Tensor right = higher_classes(items.scores, items.classes).lt(top_);
    return {right.sum().item<double>(), static_cast<double>(right.numel())};
  }

 private:
  /// Throws knead::Error if every class would be among the highest.
  void expect_more_than_top(std::int64_t classes) const {
    if (top_ < classes) return;
    throw Error(fmt::format("{} is always 1 for an output of {} classes", name(), classes),
                fmt::format("write a top below {}", classes));
  }

  std::int64_t top_;
  double threshold_;
  ClassRules rules_;
};

}  // namespace

std::unique_ptr<Metric> make_accuracy(const recipe::Accuracy& options, const Surroundings& around) {
  return std::make_unique<Accuracy>(options, around);
}

}  // namespace knead::engine::metrics
