#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Name of the file in the folder of a sweep.
inline constexpr const char* kLinesFile = "sweep.jsonl";

/// Returns the content of sweep.jsonl: a line of JSON for each trial, by point and repeat, with the
/// keys
///
///   id, point, repeat, values {key: value}, state, metric (the objective's name),
///   objective [[step, value], …], best, best_step, mean, spread (of all trials of the point; null
///   if unknown), code (see code_of()), expect [{met, sentence}, …] (of the point's mean), seconds
///
/// The last one is the only one that differs between two sweeps that train the same. The numbers of
/// the objective that are not finite are the texts "NaN", "Infinity" and "-Infinity".
std::string sweep_lines(const Outcome& outcome);

}  // namespace knead::sweep
