#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Returns Markdown for the summary of a CI job ($GITHUB_STEP_SUMMARY): a heading with the verdict,
/// the best point with its values, a table of the 20 best points, and the first 20 trials that
/// failed and points that do not meet an expectation, with the reasons and last lines.
std::string summary_markdown(const Outcome& outcome);

}  // namespace knead::sweep
