#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// Makes metrics of the difference between output and target, whose shapes are equal but for a last
// dimension of 1. mae, mse and rmse count all numbers alike. r2 is that of scikit-learn: the mean
// over the numbers of a sample; for a constant target 1 if all predictions are exact, else 0; NaN
// for fewer than two samples.

/// Makes the mean absolute error; NaN if there are no numbers.
std::unique_ptr<Metric> make_mae(const recipe::MaeMetric& options, const Surroundings& around);
/// Makes the mean squared error; NaN if there are no numbers.
std::unique_ptr<Metric> make_mse(const recipe::MseMetric& options, const Surroundings& around);
/// Makes the square root of the mean squared error over the set, not the mean of roots.
std::unique_ptr<Metric> make_rmse(const recipe::RmseMetric& options, const Surroundings& around);
/// Makes the coefficient of determination; negative if the mean of the targets predicts better.
std::unique_ptr<Metric> make_r2(const recipe::R2Metric& options, const Surroundings& around);

}  // namespace knead::engine::metrics
