#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// Implements the common part of metrics that compare an output with one field: a metric overrides
/// of() for two tensors, and value().
class Compared : public Metric {
 public:
  /// Names a metric, its target and its output: `name` as a recipe writes it after SET/, `field`
  /// among the fields of the data, `output` as model.output.
  struct Sides {
    std::string name, field;
    OutputKey output;
  };

  explicit Compared(Sides sides)
      : Metric(std::move(sides.name)), field_(sides.field), output_(sides.output) {}

  std::vector<std::string> fields() const final { return {field_}; }

  /// Selects the output, without gradients, and the target in host memory, and calls the other
  /// of().
  State of(const c10::IValue& returned, const Samples& samples) final {
    return of(Output(returned, output_).tensor().detach(), samples.at(field_));
  }

 protected:
  /// Returns the state of some samples. `output` lies on the device and requires no gradient,
  /// `target` lies in host memory. Throws UnfitOutput or knead::Error if they do not fit.
  virtual State of(const at::Tensor& output, const at::Tensor& target) = 0;
  /// Returns the name of the target, for messages.
  const std::string& field() const { return field_; }

 private:
  std::string field_;
  OutputKey output_;
};

/// Returns the names of a metric and of its sides; takes those that the metric does not set from
/// the loss and the model. Throws knead::Error (exit code of an invalid recipe) if neither names a
/// target, or if the data does not have it.
Compared::Sides sides_of(const recipe::Metric& metric, const Surroundings& around);

/// Holds the options on classes, ignore_index and class_dim. std::nullopt: no class is ignored; the
/// shapes decide the dimension.
struct ClassRules {
  std::optional<std::int64_t> ignored;
  std::optional<losses::ClassDim> dim;
};

/// Returns the options on classes of a loss; none for a loss without classes.
ClassRules rules_of(const recipe::Loss& loss);

/// Returns the options on classes of a metric; takes those that it does not set from the loss.
template <class Options>
ClassRules rules_of(const Options& metric, const Surroundings& around) {
  ClassRules rules = rules_of(around.loss);
  if (metric.ignore_index) rules.ignored = metric.ignore_index;
  if (metric.class_dim) rules.dim = losses::class_dim_of(metric.class_dim);
  return rules;
}

/// Holds the scores and classes of all items that are not ignored.
struct ClassItems {
  /// Holds the scores, (items, C); no rows if all items are ignored.
  at::Tensor scores;
  /// Holds the class of each item, (items), int64.
  at::Tensor classes;
};

/// Returns the items on the device of the output. Throws knead::Error unless the target holds
/// classes that fit the output: see losses::find_class_dim() and losses::expect_in_range(). `asker`
/// and `field` name the metric and the target in messages.
ClassItems class_items(const at::Tensor& output, const at::Tensor& target, const ClassRules& rules,
                       const std::string& asker, const std::string& field);

/// Returns whether the output has a number for each number of the target, as for labels of yes and
/// no. A column (N, 1) counts as (N). Compares shapes only.
bool are_labels(const at::Tensor& output, const at::Tensor& target);

/// Holds the scores of labels and their truth, (items, L) each.
struct LabelItems {
  at::Tensor scores;
  /// Holds bool from label_items(); other makers may use 0 and 1.
  at::Tensor right;
};
/// Returns the labels on the device of the output; the last dimension counts labels, so (N) and (N,
/// 1) have one. Throws knead::Error if the target holds a number other than 0 and 1.
LabelItems label_items(const at::Tensor& output, const at::Tensor& target, const std::string& asker,
                       const std::string& field);

}  // namespace knead::engine::metrics
