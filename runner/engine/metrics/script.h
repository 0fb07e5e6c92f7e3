#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// The mean of what the recipe's own function gives.
std::unique_ptr<Metric> make_script_metric(const recipe::ScriptMetric& options,
                                           const Surroundings& around);

}  // namespace knead::engine::metrics
