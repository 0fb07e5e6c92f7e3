#pragma once

#include <string>
#include <vector>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Names a trial by what it tries: "optimizer.lr=0.001 model.args.width=64", with "seed 2 of 3"
/// where a point has several. The name of a trial is the same in each sweep over these values.
std::string trial_in_words(const Trial& trial, int seeds);

/// Names a point by what it tries, as the trial of a point without repeats is named.
std::string point_in_words(const PointResult& point);

/// Counts the trials by state: "20 finished, 3 pruned, 1 failed"; states without a trial are left
/// out.
std::string states_in_words(const std::vector<Trial>& trials);

/// Says why a trial failed: "exit code 5: the loss is NaN at step 30", with the last line that it
/// said.
std::string failure_in_words(const Trial& trial);

}  // namespace knead::sweep
