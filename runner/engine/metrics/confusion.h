#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// Metrics of how often one class is taken for another, those of scikit-learn of these names: a
// share of nothing is 0, and a class that is neither right nor given takes no part in the mean over
// classes. An item is given the class of its highest score; a label, where it is above the
// threshold.

std::unique_ptr<Metric> make_f1(const recipe::F1& options, const Surroundings& around);
std::unique_ptr<Metric> make_precision(const recipe::PrecisionMetric& options,
                                       const Surroundings& around);
std::unique_ptr<Metric> make_recall(const recipe::RecallMetric& options,
                                    const Surroundings& around);

}  // namespace knead::engine::metrics
