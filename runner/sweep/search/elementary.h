#pragma once

namespace knead::sweep {

/// Half of the logarithm of 2 pi: the density of a standard normal variable at 0 is e to the power
/// of its negative.
constexpr double kHalfLogOfTwoPi = 0.918938533204672741780;

/// The functions of this file compute with sums, products and quotients alone, which IEEE 754
/// defines to the last bit. Those of the C library differ between its versions and processors, and
/// a trial is known by the values of its keys: shards on two machines would not agree on them.

/// Returns the natural logarithm of a finite number above 0, within 2 units in the last place of
/// the larger of 1 and the result.
double natural_log(double value);

/// Returns e to the power of a number of [-700, 700], with a relative error below 1e-15.
double exponential(double power);

/// Returns the probability that a standard normal variable is at most `value`, with an absolute
/// error below 1e-14. Marsaglia: Evaluating the Normal Distribution, 2004.
double normal_cdf(double value);

/// Returns the value in [low, high] at which a standard normal variable, cut to this interval, has
/// the given share of its probability below it. `share` is in [0, 1].
double cut_normal(double low, double high, double share);

}  // namespace knead::sweep
