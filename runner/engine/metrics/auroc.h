#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// Makes the area under the receiver operating characteristic, as scikit-learn's roc_auc_score: of
/// two classes, or of labels; for more classes the mean over each class against the rest (ovr), by
/// the softmax of the scores. Leaves out a class that all items belong to, or none; NaN if none is
/// left, or if a score is NaN. Keeps all scores: 16 bytes for each item and class or label, two
/// classes counting as one. The value sorts them, in O(n log n) for each class.
std::unique_ptr<Metric> make_auroc(const recipe::Auroc& options, const Surroundings& around);

}  // namespace knead::engine::metrics
