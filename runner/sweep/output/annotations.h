#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Returns workflow commands with which GitHub shows an annotation for each failed trial and each
/// expectation that a point does not meet; empty if there is none. Of more than ten, which is all
/// that GitHub shows of a step, the tenth says how many there are.
std::string annotations(const Outcome& outcome);

}  // namespace knead::sweep
