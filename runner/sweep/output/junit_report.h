#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Returns JUnit XML with a case for each trial, by point and repeat, and behind those of a point
/// one for each expectation, which the mean of its trials meets or not:
///
/// * a trial that failed is an error, with the last lines of its log as text;
/// * an expectation that is not met is a failure;
/// * a trial that was pruned or has not ended is skipped, with a message that says so.
///
/// Names of cases hold the values of the swept keys and no numbers of this sweep, so that a CI
/// service finds a case again in the next one. Cases of trials have the time of training.
std::string junit_report(const Outcome& outcome);

}  // namespace knead::sweep
