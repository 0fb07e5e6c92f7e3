#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

#include "recipe.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"

namespace knead::engine::metrics {

/// What a metric remembers of samples. That of a set is merged from those of its batches, wherever
/// they were seen.
using State = std::vector<double>;

/// A number about a set of samples that are seen batch by batch. It does not depend on how the set
/// was cut into batches, but for the rounding of float64.
class Metric {
 public:
  explicit Metric(std::string name) : name_(std::move(name)) {}
  virtual ~Metric() = default;

  /// "accuracy", "accuracy_top5": what stands after SET/ in a recipe.
  const std::string& name() const { return name_; }

  /// The fields of the batch that it looks at.
  virtual std::vector<std::string> fields() const = 0;

  /// What there is to say about some samples, with what forward returned for them. Throws
  /// knead::Error where output and target are nothing that the metric is about.
  virtual State of(const c10::IValue& returned, const Samples& samples) = 0;

  /// Adds a part to what is known; an empty state knows nothing. Adds number by number unless the
  /// metric has something else to say.
  virtual void merge(State& total, State part) const;

  /// The metric of all samples that were merged. NaN of nothing.
  virtual double value(const State& total) const = 0;

 private:
  std::string name_;
};

/// What metrics take from the rest of a recipe where they say nothing themselves.
struct Surroundings {
  const recipe::Loss& loss;
  OutputKey output;
  const std::vector<std::string>& fields;  // of the data
};

/// The metrics of a recipe, in its order. What the loss ignores does not count in them. Throws
/// knead::Error where a metric has nothing to compare with; syntax::Refusal for a script that does
/// not compile.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<recipe::Metric>& metrics,
                                                  const Surroundings& around);

}  // namespace knead::engine::metrics
