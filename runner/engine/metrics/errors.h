#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// Metrics of the difference between output and target, of the same shape but for a last dimension
// of 1; over all numbers alike. r2 is that of scikit-learn: for targets of several numbers the mean
// over these; 1 where a constant is hit exactly, 0 where it is not; NaN of fewer than two samples.

std::unique_ptr<Metric> make_mae(const recipe::MaeMetric& options, const Surroundings& around);
std::unique_ptr<Metric> make_mse(const recipe::MseMetric& options, const Surroundings& around);
std::unique_ptr<Metric> make_rmse(const recipe::RmseMetric& options, const Surroundings& around);
std::unique_ptr<Metric> make_r2(const recipe::R2Metric& options, const Surroundings& around);

}  // namespace knead::engine::metrics
