#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// The share of the items whose class is among the `top` highest scores. The output has scores for
/// more classes than that, (N, C, …) or (N, …, C), the target the classes, (N, …). Of equal scores
/// the first is the higher, as in argmax. A score that is NaN is higher than the others, and makes
/// an item wrong whose class it is of.
///
/// Where the output has a number for each number of the target: the share of those that are above
/// the threshold if and only if the target is 1.
std::unique_ptr<Metric> make_accuracy(const recipe::Accuracy& options, const Surroundings& around);

}  // namespace knead::engine::metrics
