#pragma once

#include <string>
#include <vector>

#include "runner/report/followed_run.h"
#include "runner/report/reported_sweep.h"

namespace knead::report {

// The pages in short, in GitHub's Markdown: for a comment of a pull request or the summary of a CI
// job. Curves are a line of block characters. All texts of runs are escaped.

/// Returns the page of a run in short: verdict, expectations, curves, what the recipe says.
std::string run_markdown(const FollowedRun& run);

/// Returns the page of several runs in short: a table of them, and in what their recipes differ.
std::string comparison_markdown(const std::vector<FollowedRun>& runs);

/// Returns the page of a sweep in short: verdict, best recipe, the 20 best points, importance, what
/// failed.
std::string sweep_markdown(const ReportedSweep& sweep);

}  // namespace knead::report
