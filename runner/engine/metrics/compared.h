#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// A metric that compares an output with a field.
class Compared : public Metric {
 public:
  struct Sides {
    std::string name, field;
    OutputKey output;
  };

  explicit Compared(Sides sides)
      : Metric(std::move(sides.name)), field_(sides.field), output_(sides.output) {}

  std::vector<std::string> fields() const final { return {field_}; }

  State of(const c10::IValue& returned, const Samples& samples) final {
    return of(Output(returned, output_).tensor().detach(), samples.at(field_));
  }

 protected:
  virtual State of(const at::Tensor& output, const at::Tensor& target) = 0;
  const std::string& field() const { return field_; }

 private:
  std::string field_;
  OutputKey output_;
};

/// What a metric is called and compares; from the loss where it says nothing itself. Throws
/// knead::Error where neither names a target that the data has.
Compared::Sides sides_of(const recipe::Metric& metric, const Surroundings& around);

/// What the recipe says of classes.
struct ClassRules {
  std::optional<std::int64_t> ignored;
  std::optional<losses::ClassDim> dim;
};

/// What the loss says of classes.
ClassRules rules_of(const recipe::Loss& loss);

/// What the metric says of classes, or else the loss.
template <class Options>
ClassRules rules_of(const Options& metric, const Surroundings& around) {
  ClassRules rules = rules_of(around.loss);
  if (metric.ignore_index) rules.ignored = metric.ignore_index;
  if (metric.class_dim) rules.dim = losses::class_dim_of(metric.class_dim);
  return rules;
}

/// Items with a class, those that are ignored left out.
struct ClassItems {
  at::Tensor scores;   // (items, C)
  at::Tensor classes;  // (items), int64
};

/// Throws knead::Error unless the target has classes that fit the output.
ClassItems class_items(const at::Tensor& output, const at::Tensor& target, const ClassRules& rules,
                       const std::string& asker, const std::string& field);

/// Whether the output has a number for each number of the target: labels of yes and no.
bool are_labels(const at::Tensor& output, const at::Tensor& target);

/// Labels: (items, L) each. Throws knead::Error where a target is neither 0 nor 1.
struct LabelItems {
  at::Tensor scores;
  at::Tensor right;  // bool
};
LabelItems label_items(const at::Tensor& output, const at::Tensor& target, const std::string& asker,
                       const std::string& field);

}  // namespace knead::engine::metrics
