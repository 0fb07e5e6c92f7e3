#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// The area under the receiver operating characteristic, as scikit-learn's roc_auc_score: of two
/// classes, or of labels; of more classes the mean over each against the others (ovr), by softmax
/// of the scores. A class that all items are of, or none, takes no part. It keeps all scores: 8
/// bytes for each class and sample.
std::unique_ptr<Metric> make_auroc(const recipe::Auroc& options, const Surroundings& around);

}  // namespace knead::engine::metrics
