#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "recipe.h"

namespace knead::engine::metrics {

/// A number about a set of samples that are seen batch by batch. It does not depend on how the set
/// was cut into batches.
class Metric {
 public:
  virtual ~Metric() = default;

  /// "accuracy", "accuracy_top5": what stands after SET/ in a recipe.
  virtual const std::string& name() const = 0;

  /// Takes in the output for a batch. Throws knead::Error where output and target are nothing that
  /// the metric is about.
  virtual void add(const at::Tensor& output, const at::Tensor& target) = 0;

  /// The metric of all that was added since the start or the last reset. NaN of nothing.
  virtual double value() const = 0;

  /// Forgets all that was added.
  virtual void reset() = 0;
};

/// The metrics of a recipe, in its order. What the loss ignores does not count in them.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<recipe::Metric>& metrics,
                                                  const recipe::Loss& loss);

}  // namespace knead::engine::metrics
