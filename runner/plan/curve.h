#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "recipe/schedule.h"

namespace knead::plan {

// Factors on the learning rate as closed forms. Steps are doubles, because a part of a schedule
// need not have a whole number of steps, and a run that is limited by time has infinitely many.

/// The factor on the learning rate for the update that follows `step` steps. A pure function: any
/// thread may call it, in any order of steps.
using Curve = std::function<double(double step)>;

/// The way from one factor to another. Exponential and inverse_sqrt need factors above 0.
using Shape = recipe::Phase::Shape;

/// A part of a schedule between two factors. A rising stretch reaches `to` at its last step, a
/// falling one starts with `from`. The first update of a warm-up from 0 therefore has an effect.
struct Stretch {
  Shape shape;
  double steps;  // > 0; the last stretch may be infinite if it is constant
  double from, to;
};

/// Returns the factor at `step` steps after the beginning of a stretch; after its end, the last
/// factor.
double value_in(const Stretch& stretch, double step);

/// Joins stretches one after the other, from step 0; there is at least one. Behind the last one its
/// last factor stays.
Curve in_turn(std::vector<Stretch> stretches);

/// Falls from 1 to `last` within `steps` steps after `begin`: last + (1 - last) · (1 -
/// progress)^power. Stays at `last` afterwards.
Curve polynomial(double begin, double steps, double power, double last);

/// Multiplies by gamma every `per` steps after `begin`, continuously: gamma^((step - begin) / per),
/// at least `last`.
Curve exponential(double begin, double per, double gamma, double last);

/// Multiplies by gamma at each of the given steps, from the update that follows that many steps.
/// The order of the steps does not matter.
Curve staircase(std::vector<double> steps, double gamma);

/// Multiplies by gamma every `every` steps, as torch.optim.lr_scheduler.StepLR does.
Curve staircase(double every, double gamma);

/// Falls as 1 / sqrt(1 + (step - begin) / unit), at least `last`. With begin = unit = w this is
/// sqrt(w / step), the schedule of "Attention Is All You Need" (Vaswani et al., 2017) after a
/// warm-up of w steps.
Curve inverse_root(double begin, double unit, double last);

/// Rises on half a cosine from `start` to 1 at step `peak` - 1, and falls on half a cosine to
/// `last` at the last of `steps` steps, as torch.optim.lr_scheduler.OneCycleLR does.
Curve one_cycle(double steps, double peak, double start, double last);

}  // namespace knead::plan
