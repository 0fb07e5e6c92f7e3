#pragma once

#include <vector>

#include "recipe/expect.h"
#include "recipe/metrics.h"

namespace knead::run {

/// Returns the expectations with their `baseline` turned into a bound: at_least or at_most the
/// value of the baseline, worsened by at_most_worse. `metrics` say which way is worse. A bound of
/// the recipe that is stricter stays.
///
/// A baseline is a file evaluations.jsonl, the folder of a run, or that of a sweep, whose best
/// point counts with the mean of its seeds; the bound then also leaves two standard errors of that
/// mean. Throws knead::Error if there is nothing at the path, or if the metric was never computed
/// there.
std::vector<recipe::Expectation> with_baselines(std::vector<recipe::Expectation> expectations,
                                                const std::vector<recipe::Metric>& metrics);

}  // namespace knead::run
