#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// Makes metrics of how often a model takes one class for another, as scikit-learn computes them. A
// ratio of 0 to 0 is 0. The mean over classes leaves out a class that is neither a target nor
// predicted. The predicted class of an item has its highest score; a label is predicted if its
// score is above the threshold.

/// Makes 2 hits ÷ (2 hits + false alarms + misses), the harmonic mean of precision and recall. Of
/// two classes, or of one label, it is the score of the positive one; of more the macro mean;
/// unless the option `average` says otherwise. NaN without items.
std::unique_ptr<Metric> make_f1(const recipe::F1& options, const Surroundings& around);
/// Makes hits ÷ (hits + false alarms): how much of what was predicted is right. Averages as
/// make_f1().
std::unique_ptr<Metric> make_precision(const recipe::PrecisionMetric& options,
                                       const Surroundings& around);
/// Makes hits ÷ (hits + misses): how much of what is there was found. Averages as make_f1().
std::unique_ptr<Metric> make_recall(const recipe::RecallMetric& options,
                                    const Surroundings& around);

}  // namespace knead::engine::metrics
