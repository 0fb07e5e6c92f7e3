#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Name of the file in the folder of a sweep.
inline constexpr const char* kTableFile = "sweep.csv";

/// Returns the content of sweep.csv: a header, then a row for each trial, by point and repeat, with
/// the columns
///
///   id, point, repeat, a column for each swept key, state, best, best_step, mean, spread, code,
///   unmet (how many expectations are not met), seconds
///
/// code and unmet are those of code_of() and of the point, as in sweep.jsonl. A cell is empty where
/// there is nothing to say. Cells are quoted as RFC 4180 says; a line ends with LF, as in
/// metrics.csv. Only the last column differs between two sweeps that train the same.
std::string sweep_table(const Outcome& outcome);

}  // namespace knead::sweep
