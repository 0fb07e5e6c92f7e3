#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/expect.h"
#include "recipe/metrics.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"

namespace knead::plan {

/// Holds the value of a run that an item of `expect` looks at.
struct Measurement {
  /// Tells that some evaluation has the metric.
  bool is_computed = false;
  /// The last value, possibly not finite; for `value: best` the best one, which is finite, or
  /// std::nullopt if none is.
  std::optional<Value> value{};
};

/// Holds the measured value for each item of `expect`, in their order.
using Measurements = std::vector<Measurement>;

/// Measures a run for each expectation, with the goals from `metrics`. train/loss is read
/// from evaluations of the set "train", which track::as_evaluations() makes.
Measurements measure(const std::vector<recipe::Expectation>& expectations,
                     const std::vector<recipe::Metric>& metrics, const Evaluations& evaluations);

/// The result of one item of `expect`.
struct Judgement {
  bool met = false;
  std::string sentence;  // "expect validation/accuracy at least 0.88: 0.912, met"

  bool operator==(const Judgement&) const = default;
};

/// Judges each expectation, in their order, by the mean over `runs` of one recipe that differ in
/// their seed; there is at least one, and each was measured with these expectations. The bounds are
/// allowed values themselves. A metric that a run never computed fails, and so does one whose last
/// value (or every value, for `value: best`) is not finite in a run.
std::vector<Judgement> judge(const std::vector<recipe::Expectation>& expectations,
                             const std::vector<Measurements>& runs);

}  // namespace knead::plan
