#pragma once

#include <vector>

#include "runner/report/followed_run.h"
#include "runner/report/page.h"

namespace knead::report {

/// The most runs of a page. More are a sweep, or an accident.
inline constexpr std::size_t kMostRuns = 200;

/// Returns how fine the curves of each of so many runs are, so that a page stays small.
std::size_t columns_for(std::size_t runs);

/// Returns the page of several runs: a table of them, their curves over each other, and in what
/// their recipes differ. At least one run, at most kMostRuns.
Page comparison_page(const std::vector<FollowedRun>& runs);

/// Returns the names of runs, each distinct: with the folder above it where two are equal.
std::vector<std::string> distinct_names(const std::vector<FollowedRun>& runs);

/// Returns the metric that most of the runs monitor, with its goal.
plan::Objective shared_monitor(const std::vector<FollowedRun>& runs);

}  // namespace knead::report
