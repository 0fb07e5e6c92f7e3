#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// Makes the mean over the items of the numbers that the recipe's own function, def metric(output,
/// batch), returns; a scalar is the mean of its samples. Throws as ScriptCall.
std::unique_ptr<Metric> make_script_metric(const recipe::ScriptMetric& options,
                                           const Surroundings& around);

}  // namespace knead::engine::metrics
