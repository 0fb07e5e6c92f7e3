#include "runner/sweep/search/elementary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace knead::sweep {
namespace {

constexpr double kLogOfTwo = 0.693147180559945309417;
// The first 32 bits of the logarithm of 2, and the rest: a whole number times the first is exact.
constexpr double kLogOfTwoHigh = 6.93147180369123816490e-01;
constexpr double kLogOfTwoLow = 1.90821492927058770002e-10;
constexpr double kRootOfHalf = 0.707106781186547524401;

}  // namespace

double natural_log(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);  // [0.5, 1)
  if (fraction < kRootOfHalf) {
    fraction *= 2;
    --exponent;
  }
  // log(fraction) = 2 artanh(ratio), and the ratio is at most 0.172.
  const double ratio = (fraction - 1) / (fraction + 1);
  const double square = ratio * ratio;
  double sum = 0;
  for (int odd = 23; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return exponent * kLogOfTwoHigh + (exponent * kLogOfTwoLow + 2 * ratio * sum);
}

double exponential(double power) {
  const double doublings = std::floor(power / kLogOfTwo + 0.5);
  const double rest = (power - doublings * kLogOfTwoHigh) - doublings * kLogOfTwoLow;
  double sum = 1;
  for (int term = 18; term >= 1; --term) sum = sum * rest / term + 1;
  return std::ldexp(sum, static_cast<int>(doublings));
}

double normal_cdf(double value) {
  constexpr double kFar = 8.3;  // beyond it the result is 0 or 1 to the last bit
  if (value < -kFar) return 0;
  if (value > kFar) return 1;
  const double square = value * value;
  double sum = value;
  double before = 0;
  double term = value;
  for (double odd = 3; sum != before; odd += 2) {
    before = sum;
    term *= square / odd;
    sum += term;
  }
  return 0.5 + sum * exponential(-0.5 * square - kHalfLogOfTwoPi);
}

double cut_normal(double low, double high, double share) {
  const double below = normal_cdf(low);
  const double wanted = below + share * (normal_cdf(high) - below);
  double value = 0.5 * (low + high);
  // Newton's method, and halving where it leaves the interval that holds the value.
  constexpr int kMostSteps = 60;
  for (int step = 0; step < kMostSteps; ++step) {
    const double excess = normal_cdf(value) - wanted;
    (excess < 0 ? low : high) = value;
    const double density = exponential(-0.5 * std::min(value * value, 1e3) - kHalfLogOfTwoPi);
    const double next = value - excess / density;
    const double before = value;
    value = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(value - before) <= 1e-12) break;
  }
  return value;
}

}  // namespace knead::sweep
