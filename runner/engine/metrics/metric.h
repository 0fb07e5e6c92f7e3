#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

#include "recipe/loss.h"
#include "recipe/metrics.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"

namespace knead::engine::metrics {

/// Holds the sums or values that a metric keeps of some samples. The state of a set is merged from
/// the states of its batches; empty: no samples yet. Only the metric that made it can read it.
using State = std::vector<double>;

/// Computes a number over a set of samples that come batch by batch. The number does not depend on
/// how the set was cut into batches, except for the rounding of float64. For each evaluation the
/// caller begins with an empty State, merges of() of each batch into it, and asks for the value();
/// the metric itself keeps nothing.
class Metric {
 public:
  /// Stores `name`, under which reports and journals list the value.
  explicit Metric(std::string name) : name_(std::move(name)) {}
  virtual ~Metric() = default;

  /// Returns the name that a recipe writes after SET/: "accuracy", "accuracy_top5".
  const std::string& name() const { return name_; }

  /// Returns the names of the batch's fields that the metric takes; they must be in the Samples of
  /// of().
  virtual std::vector<std::string> fields() const = 0;

  /// Returns the state of some samples, for which forward returned `returned`. Waits for the
  /// device. Throws UnfitOutput or knead::Error if the metric is not defined for this output and
  /// target; call it within Output::at_return().
  virtual State of(const c10::IValue& returned, const Samples& samples) = 0;

  /// Adds the state of further samples to `total`, which may be empty. Adds number by number unless
  /// the metric overrides it.
  virtual void merge(State& total, State part) const;

  /// Returns the metric over all merged samples; NaN if there are none, or if it is not defined for
  /// them.
  virtual double value(const State& total) const = 0;

 private:
  std::string name_;
};

/// Holds the parts of a recipe that supply the options a metric does not set. Borrowed for the call
/// that makes metrics.
struct Surroundings {
  /// Supplies the target, ignore_index and class_dim.
  const recipe::Loss& loss;
  /// Holds model.output, which selects what a metric compares.
  OutputKey output;
  /// Lists the names of the fields of the data.
  const std::vector<std::string>& fields;
};

/// Makes the metrics of a recipe, in its order. They leave out items that the loss ignores. Throws
/// knead::Error if a metric has no target to compare with; syntax::Refusal if a script does not
/// compile.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<recipe::Metric>& metrics,
                                                  const Surroundings& around);

}  // namespace knead::engine::metrics
