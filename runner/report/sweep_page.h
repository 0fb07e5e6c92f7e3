#pragma once

#include <string>

#include "runner/report/page.h"
#include "runner/report/reported_sweep.h"
#include "runner/report/sweep_points.h"

namespace knead::report {

/// Returns the page of a sweep: verdict, best recipe, points, figures, importance, timeline, cost
/// and failures.
Page sweep_page(const ReportedSweep& sweep);

/// Returns in one sentence how a sweep stands: "14 finished, 106 pruned; best validation/loss 0.333
/// ± 0.018 at point 7, the mean of 2 seeds".
std::string verdict_of(const SweepPoints& points);

/// Says whether the best point is better than the others by more than the seeds differ; empty where
/// that is not known.
std::string certainty_of(const SweepPoints& points);

/// Says what the importance of keys is computed from, and how far it can be trusted.
std::string importance_note(std::size_t points);

/// Returns the indices of the keys by their importance, with it: see importances().
std::vector<std::pair<std::size_t, double>> ranked_keys(const SweepPoints& points);

}  // namespace knead::report
