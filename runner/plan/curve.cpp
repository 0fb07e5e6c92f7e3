#include "runner/plan/curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead::plan {
namespace {

/// Goes from a to b on half a cosine; `progress` is in [0, 1].
double cosine_between(double a, double b, double progress) {
  return b + (a - b) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

/// Returns the factor of a shape at `progress` in [0, 1). Exponential and inverse_sqrt need factors
/// above 0.
double between(Shape shape, double from, double to, double progress) {
  switch (shape) {
    case Shape::constant: return from;
    case Shape::linear: return from + (to - from) * progress;
    case Shape::cosine: return cosine_between(from, to, progress);
    case Shape::sqrt: return from + (to - from) * std::sqrt(progress);
    case Shape::exponential: return from * std::pow(to / from, progress);
    case Shape::inverse_sqrt: {
      const double ratio = from / to;
      return from / std::sqrt(1 + progress * (ratio * ratio - 1));
    }
  }
  return to;
}

}  // namespace

double value_in(const Stretch& stretch, double step) {
  // A rising stretch counts the update itself, so that its first update is not at `from`.
  const double done = stretch.to > stretch.from ? step + 1 : step;
  if (done >= stretch.steps) return stretch.shape == Shape::constant ? stretch.from : stretch.to;
  return between(stretch.shape, stretch.from, stretch.to, done / stretch.steps);
}

Curve in_turn(std::vector<Stretch> stretches) {
  return [stretches = std::move(stretches)](double step) {
    for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
      if (step < stretches[i].steps) return value_in(stretches[i], step);
      step -= stretches[i].steps;
    }
    return value_in(stretches.back(), step);
  };
}

Curve polynomial(double begin, double steps, double power, double last) {
  return [=](double step) {
    const double progress = std::min(1.0, (step - begin) / steps);
    return last + (1 - last) * std::pow(1 - progress, power);
  };
}

Curve exponential(double begin, double per, double gamma, double last) {
  return [=](double step) { return std::max(last, std::pow(gamma, (step - begin) / per)); };
}

Curve staircase(std::vector<double> steps, double gamma) {
  return [steps = std::move(steps), gamma](double step) {
    const auto over = std::count_if(steps.begin(), steps.end(),
                                    [step](double milestone) { return step >= milestone; });
    return std::pow(gamma, static_cast<double>(over));
  };
}

Curve staircase(double every, double gamma) {
  return [=](double step) { return std::pow(gamma, std::floor(step / every)); };
}

Curve inverse_root(double begin, double unit, double last) {
  return [=](double step) { return std::max(last, 1 / std::sqrt(1 + (step - begin) / unit)); };
}

Curve one_cycle(double steps, double peak, double start, double last) {
  return [=](double step) {
    const double top = peak - 1, end = steps - 1;
    if (step <= top) return cosine_between(start, 1, top > 0 ? step / top : 1);
    return cosine_between(1, last, end > top ? std::min(1.0, (step - top) / (end - top)) : 1);
  };
}

}  // namespace knead::plan
