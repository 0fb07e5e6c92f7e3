#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

/// Makes the share of items whose class is among the `top` highest scores, from 0 to 1. The output
/// has scores for more than `top` classes, (N, C, …) or (N, …, C); the target holds classes, (N,
/// …). Of equal scores the first is the higher, as in argmax. A NaN score is higher than all
/// others; an item whose own class has a NaN score is wrong.
///
/// If output and target have the same shape and `top` is 1: makes the share of numbers that are
/// above the threshold if and only if their target is 1. The metric throws knead::Error if the
/// output has no more than `top` classes.
std::unique_ptr<Metric> make_accuracy(const recipe::Accuracy& options, const Surroundings& around);

}  // namespace knead::engine::metrics
