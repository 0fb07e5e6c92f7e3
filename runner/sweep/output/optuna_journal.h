#pragma once

#include <string>

#include "runner/sweep/output/outcome.h"

namespace knead::sweep {

/// Name of the file in the folder of a sweep.
inline constexpr const char* kJournalFile = "optuna.journal";

/// Returns the content of optuna.journal, which Optuna's JournalStorage reads: one study with the
/// sweep's name, and a trial for each trial that has finished, was pruned or failed, by point and
/// repeat. The others can go on, and Optuna knows no such state.
///
/// * Repeats of a point are trials of their own, so Optuna's best trial is that of the best seed.
/// * A finished trial is complete with its best objective; one whose objective was never finite has
///   failed, because Optuna requires a value. A pruned one has the last value it reported.
/// * Evaluations are intermediate values. Those that are not finite are left out, because JSON has
///   no word for them.
/// * Listed values are categories; a list or a block among them is its YAML text, since Optuna
///   takes scalars only.
/// * The journal of a trial knows how long it took and not when, so all begin in 1970.
std::string optuna_journal(const Outcome& outcome);

}  // namespace knead::sweep
