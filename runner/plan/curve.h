#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "recipe.h"

namespace knead::plan {

// Factors on the learning rate as closed forms. Steps are doubles: a schedule's length may be none
// of a whole number of steps, and a run whose length is a time has infinitely many.

/// The factor that the update after `step` steps uses.
using Curve = std::function<double(double step)>;

using Shape = recipe::Phase::Shape;

/// A stretch of a schedule. One that rises reaches `to` at its last step, one that falls begins
/// with `from`: the first update of a warm-up from 0 is not for nothing.
struct Stretch {
  Shape shape;
  double steps;  // more than 0; the last may be infinite if it is constant
  double from, to;
};

/// How far a stretch has come, as a factor. After its end it stays at `to`.
double value_in(const Stretch& stretch, double step);

/// One stretch after the other, from step 0 on.
Curve in_turn(std::vector<Stretch> stretches);

/// From `begin` on, 1 to `last` over `steps` steps as (1 - progress)^power.
Curve polynomial(double begin, double steps, double power, double last);

/// From `begin` on, a factor of gamma each `per` steps, bit by bit, never below `last`.
Curve exponential(double begin, double per, double gamma, double last);

/// gamma to the power of how many of the steps are over.
Curve staircase(std::vector<double> steps, double gamma);

/// The same with one every so many steps.
Curve staircase(double every, double gamma);

/// From `begin` on, 1 over the root of how many times `unit` steps are done, never below `last`.
Curve inverse_root(double begin, double unit, double last);

/// Half a cosine from `start` up to 1 at step `peak` - 1, and half a one down to `last` at the last
/// step of `steps`: torch's OneCycleLR.
Curve one_cycle(double steps, double peak, double start, double last);

}  // namespace knead::plan
