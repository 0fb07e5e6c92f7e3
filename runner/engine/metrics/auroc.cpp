#include "runner/engine/metrics/auroc.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/cat.h>
#include <ATen/ops/one_hot.h>

#include "runner/engine/metrics/compared.h"

namespace knead::engine::metrics {
namespace {

/// Pairs a score with the fact that the item is of the class, or is not.
using Scored = std::pair<double, bool>;

/// Returns the share of pairs, of one item of the class and one of another, in which the first
/// scores higher. Computes it from the sum of ranks. NaN if there is no such pair.
double area(std::vector<Scored>& scored) {
  // NaN has no place in an order, and does not equal itself.
  const auto is_nan = [](const Scored& each) { return std::isnan(each.first); };
  if (std::any_of(scored.begin(), scored.end(), is_nan))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(scored.begin(), scored.end());
  double ranks = 0, positives = 0;
  for (std::size_t begin = 0; begin < scored.size();) {
    std::size_t end = begin;
    double here = 0;
    while (end < scored.size() && scored[end].first == scored[begin].first)
      here += scored[end++].second;
    // Equal scores have the mean of their ranks, begin + 1 to end.
    ranks += here * (static_cast<double>(begin + 1 + end) / 2);
    positives += here;
    begin = end;
  }
  const double negatives = static_cast<double>(scored.size()) - positives;
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

/// Computes the mean area over the columns. State: the number of columns K; then for each item K
/// scores, and K times 1 if it is of the class, else 0.
class Auroc final : public Compared {
 public:
  Auroc(const recipe::Auroc& options, const Surroundings& around)
      : Compared(sides_of(options, around)),
        weighted_(options.average == recipe::Auroc::Average::weighted),
        rules_(rules_of(options, around)) {}

  void merge(State& total, State part) const override {
    if (total.empty()) {
      total = std::move(part);
    } else {
      total.insert(total.end(), part.begin() + 1, part.end());
    }
  }

  double value(const State& total) const override;

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override;

 private:
  bool weighted_;
  ClassRules rules_;
};

/// Returns the scores that rank the items of each class, and their truth: (items, K) each. Two
/// classes need one column, because the difference of their scores ranks as the softmax does.
LabelItems one_against_rest(const ClassItems& items) {
  const at::Tensor scores = items.scores.to(at::kDouble);
  if (scores.size(1) == 2)
    return {scores.select(1, 1).sub(scores.select(1, 0)).unsqueeze(1), items.classes.unsqueeze(1)};
  return {scores.softmax(1), at::one_hot(items.classes, scores.size(1))};
}

State Auroc::of(const at::Tensor& output, const at::Tensor& target) {
  const LabelItems items =
      are_labels(output, target)
          ? label_items(output, target, name(), field())
          : one_against_rest(class_items(output, target, rules_, name(), field()));
  const at::Tensor rows =
      at::cat({items.scores.to(at::kDouble), items.right.to(at::kDouble)}, 1).cpu().contiguous();
  State state{static_cast<double>(items.scores.size(1))};
  const double* begin = rows.const_data_ptr<double>();
  state.insert(state.end(), begin, begin + rows.numel());
  return state;
}

double Auroc::value(const State& total) const {
  const auto columns = total.empty() ? 0 : static_cast<std::size_t>(total[0]);
  double sum = 0, weights = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    std::vector<Scored> scored;
    double positives = 0;
    for (std::size_t row = 1; row < total.size(); row += 2 * columns) {
      const bool is_of_class = total[row + columns + column] > 0;
      scored.emplace_back(total[row + column], is_of_class);
      positives += is_of_class;
    }
    // The area is not defined for a class that no item belongs to, or every item.
    if (positives == 0 || positives == static_cast<double>(scored.size())) continue;
    const double weight = weighted_ ? positives : 1;
    sum += weight * area(scored);
    weights += weight;
  }
  return weights > 0 ? sum / weights : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::unique_ptr<Metric> make_auroc(const recipe::Auroc& options, const Surroundings& around) {
  return std::make_unique<Auroc>(options, around);
}

}  // namespace knead::engine::metrics
