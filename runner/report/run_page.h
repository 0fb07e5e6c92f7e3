#pragma once

#include <string>
#include <vector>

#include "runner/report/followed_run.h"
#include "runner/report/page.h"

namespace knead::report {

/// Returns the page of a run: verdict, curves with the evaluations on them, evaluations, time,
/// checkpoints, recipe, model, environment and history. Parts of which nothing is known are left
/// out.
Page run_page(const FollowedRun& run);

/// Returns in one sentence how a run stands: "Finished at step 940 after 0.2 s; best
/// validation/loss 0.3151 at step 705; 1 of 1 expectations met".
std::string verdict_of(const FollowedRun& run);

/// Returns the title of the chart of a number of reports by its name: "learning rate" for lr.
std::string chart_title(const std::string& name);

/// Returns the charts of a run: its numbers of training, each with the evaluations of the same name
/// on it, then the other metrics of evaluations.
std::vector<Chart> charts_of(const FollowedRun& run);

}  // namespace knead::report
