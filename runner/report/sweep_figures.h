#pragma once

#include <string>

#include "runner/report/sweep_points.h"

namespace knead::report {

// Figures of a sweep as HTML. A shape of a point has its index in `SweepPoints::points` as data-t,
// by which the page's script shows what belongs together.

/// Draws a line for each point across the axes of all keys and of the objective.
std::string parallel_figure(const SweepPoints& points);

/// Draws the objective over each key, at most 12 of them, in the order of `keys`: indices of keys.
std::string slice_figures(const SweepPoints& points, const std::vector<std::size_t>& keys);

/// Draws the objective of each point in the order in which they were proposed, and the best so far.
std::string search_figure(const SweepPoints& points);

/// Draws the objective of all trials over the steps of training.
std::string trial_figure(const SweepPoints& points);

/// Draws when each trial began and ended. Empty if no time is known.
std::string timeline_figure(const SweepPoints& points);

}  // namespace knead::report
