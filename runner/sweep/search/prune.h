#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace knead::sweep {

// In this file a lower value is better. A trial whose value is not a number ends at its rung, and
// is not counted among those that reached the rung, as in Optuna.

/// Returns whether a trial goes on beyond a rung of asynchronous successive halving (Li et al.: A
/// System for Massively Parallel Hyperparameter Tuning, 2020): `value` is among the best
/// max(1, ⌊n / reduction⌋) of the n values that came to the rung, itself and `earlier` ones; equal
/// values share a place. Decides as SuccessiveHalvingPruner of Optuna does. `reduction` is at least
/// 2.
bool asha_continues(std::span<const double> earlier, double value, int reduction);

/// Returns the indices of the best ⌊n / reduction⌋ of n values that came to a rung, the best first;
/// of equal values the first comes first.
std::vector<std::size_t> asha_promoted(std::span<const double> values, int reduction);

/// Returns whether a trial goes on after an evaluation, as MedianPruner of Optuna decides. `others`
/// has the value at the same step of each trial that ran to its end, and not a number for one that
/// was not evaluated at it; `best` is the best value of the trial at this step or before. It goes
/// on while `others` are fewer than `startup`, while none of them is a number, and if `best` is not
/// worse than the median of those that are. Otherwise it ends, and also if `best` is not a number.
bool median_continues(std::span<const double> others, double best, int startup);

}  // namespace knead::sweep
