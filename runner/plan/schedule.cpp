#include "runner/plan/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "runner/plan/decide.h"
#include "schema/document/error.h"

namespace knead::plan {
namespace {

using schema::Quantity;

[[noreturn]] void refuse_schedule(std::string message, std::string remedy) {
  throw Error(std::move(message), std::move(remedy), Exit::invalid_recipe);
}

/// Converts the lengths of a schedule to steps. `over` is the length that percentages refer to.
class Lengths {
 public:
  Lengths(const schema::Epoch& epoch, double over) : epoch_(epoch), over_(over) {}

  double over() const { return over_; }

  double steps(const Quantity& length, const char* key) const {
    return known(schema::in_steps(length, epoch_, over_), length, key);
  }

  /// Returns the steps before a point of a curve, which may lie between two steps.
  double unrounded_steps(const Quantity& length, const char* key) const {
    return known(schema::in_steps_unrounded(length, epoch_, over_), length, key);
  }

  /// Returns the steps of a warm-up, which must be shorter than the schedule.
  double warmup(const std::optional<Quantity>& length) const {
    if (!length) return 0;
    const double rise = steps(*length, "schedule.warmup");
    if (rise < over_) return rise;
    refuse_schedule(
        fmt::format("the warm-up of {:.0f} steps is not shorter than the {:.0f} it leads to", rise,
                    over_),
        "the learning rate would never be reached");
  }

 private:
  static double known(std::optional<double> steps, const Quantity& length, const char* key) {
    if (steps && std::isfinite(*steps)) return *steps;
    refuse_schedule(fmt::format("{} {} cannot be told in steps", key, schema::to_string(length)),
                    "write it in steps, epochs or samples");
  }

  schema::Epoch epoch_;
  double over_;
};

/// Returns the lengths for a kind of schedule: percentages refer to schedule.over if the kind has
/// it, otherwise to the run.
template <class Kind>
Lengths lengths_of(const Kind& kind, const schema::Epoch& epoch, double total) {
  const Lengths of_the_run(epoch, total);
  if constexpr (requires { kind.over; }) {
    return {epoch, of_the_run.steps(kind.over.value(), "schedule.over")};
  } else {
    return of_the_run;
  }
}

Stretch fall(Shape shape, double steps, double to) { return {shape, steps, 1, to}; }

/// Shifts a curve to begin at step `begin`.
Curve after(double begin, const Curve& curve) {
  return [=](double step) { return curve(step - begin); };
}

/// Returns the curve of each kind, which applies after the warm-up.
struct Curves {
  const Lengths& lengths;
  double warmup;

  double left() const { return lengths.over() - warmup; }

  Curve operator()(const recipe::ConstantSchedule&) const {
    return [](double) { return 1.0; };
  }
  Curve operator()(const recipe::LinearSchedule& kind) const {
    return after(warmup, in_turn({fall(Shape::linear, left(), kind.min_factor)}));
  }
  Curve operator()(const recipe::CosineSchedule& kind) const {
    return after(warmup, in_turn({fall(Shape::cosine, left(), kind.min_factor)}));
  }
  Curve operator()(const recipe::PolynomialSchedule& kind) const {
    return polynomial(warmup, left(), kind.power, kind.min_factor);
  }
  Curve operator()(const recipe::ExponentialSchedule& kind) const {
    return exponential(warmup, lengths.steps(kind.per, "schedule.per"), kind.gamma,
                       kind.min_factor);
  }
  Curve operator()(const recipe::StepSchedule& kind) const {
    return staircase(lengths.steps(kind.every, "schedule.every"), kind.gamma);
  }
  Curve operator()(const recipe::MultistepSchedule& kind) const {
    std::vector<double> steps;
    for (const Quantity& milestone : kind.milestones)
      steps.push_back(lengths.steps(milestone, "schedule.milestones"));
    return staircase(std::move(steps), kind.gamma);
  }
  Curve operator()(const recipe::InverseSqrtSchedule& kind) const {
    // Without a warm-up the unit is one step.
    return inverse_root(warmup, std::max(warmup, 1.0), kind.min_factor);
  }
  Curve operator()(const recipe::OneCycleSchedule& kind) const {
    return one_cycle(lengths.over(), lengths.unrounded_steps(kind.peak_at, "schedule.peak_at"),
                     kind.start, kind.min_factor);
  }
  Curve operator()(const recipe::WsdSchedule& kind) const {
    const double decay = lengths.steps(kind.decay, "schedule.decay");
    if (decay > left())
      refuse_schedule(
          fmt::format("the warm-up and the fall of the schedule take {:.0f} steps, and there are "
                      "{:.0f}",
                      warmup + decay, lengths.over()),
          "make schedule.decay shorter");
    const Stretch falling = fall(shape_of(kind.shape), decay, kind.min_factor);
    // A stretch must be longer than 0 steps, so the constant one is omitted.
    if (decay == left()) return after(warmup, in_turn({falling}));
    return after(warmup, in_turn({{Shape::constant, left() - decay, 1, 1}, falling}));
  }
  Curve operator()(const recipe::PlateauSchedule&) const {
    return [](double) { return 1.0; };
  }
  Curve operator()(const recipe::PhasesSchedule& kind) const;

  static Shape shape_of(recipe::WsdSchedule::Shape shape) {
    switch (shape) {
      case recipe::WsdSchedule::Shape::cosine: return Shape::cosine;
      case recipe::WsdSchedule::Shape::sqrt: return Shape::sqrt;
      default: return Shape::linear;
    }
  }
};

Curve Curves::operator()(const recipe::PhasesSchedule& kind) const {
  std::vector<Stretch> stretches;
  double begin = 0;  // of the current phase
  double value = 1;  // at the end of the previous phase
  for (const recipe::Phase& phase : kind.phases) {
    const double steps =
        phase.for_ ? lengths.steps(*phase.for_, "schedule.phases.for") : lengths.over() - begin;
    if (!(steps > 0))
      refuse_schedule(
          fmt::format("the phases of the schedule take {:.0f} steps, and leave none of {:.0f} to "
                      "the last one",
                      begin, lengths.over()),
          "make them shorter");
    if (phase.from) value = *phase.from;
    const double from = value;
    if (phase.to) value = *phase.to;
    stretches.push_back({phase.shape, steps, from, value});
    begin += steps;
  }
  return in_turn(std::move(stretches));
}

}  // namespace

Schedule::Schedule(const recipe::Schedule& schedule, const schema::Epoch& epoch, double total,
                   Objective monitor)
    : monitor_(std::move(monitor)) {
  std::visit(
      [&](const auto& kind) {
        const Lengths lengths = lengths_of(kind, epoch, total);
        if constexpr (requires { kind.warmup; }) warmup_ = lengths.warmup(kind.warmup);
        curve_ = Curves{lengths, warmup_}(kind);
      },
      schedule);
  if (const auto* kind = std::get_if<recipe::PlateauSchedule>(&schedule))
    plateau_ = {kind->gamma, kind->min_factor, static_cast<std::size_t>(kind->patience.value),
                kind->min_delta};
}

double Schedule::factor(std::uint64_t step) const {
  const auto s = static_cast<double>(step);
  return s < warmup_ ? (s + 1) / warmup_ : curve_(s);
}

double Schedule::factor_of(const Evaluations& evaluations) const {
  if (!plateau_) return 1;
  const Patience patience = {monitor_.metric, monitor_.goal, plateau_->patience,
                             plateau_->min_delta};
  const auto times = static_cast<double>(plateaus(evaluations, patience));
  return std::max(plateau_->last, std::pow(plateau_->gamma, times));
}

}  // namespace knead::plan
