#pragma once

#include <cstdint>

#include "recipe/schedule.h"
#include "runner/plan/curve.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "schema/rules/lengths.h"

namespace knead::plan {

/// The factor on the learning rate as a pure function of the step and, for a plateau, of the
/// evaluations so far. The update after `step` steps uses factor(step) × factor_of(evaluations) of
/// the learning rate in the recipe. A warm-up of w steps has the factor (step + 1) / w, so that the
/// first update has an effect. Immutable, and without I/O: a resumed run computes the factors of
/// the uninterrupted one.
class Schedule {
 public:
  /// `schedule` is resolved. `total` is the number of steps of the run, infinite if the run is
  /// limited by time. `monitor` is the metric that a plateau uses. Throws knead::Error with
  /// Exit::invalid_recipe if a length cannot be converted to steps, or if the warm-up, the decay or
  /// the phases do not fit into the schedule.
  Schedule(const recipe::Schedule& schedule, const schema::Epoch& epoch, double total,
           Objective monitor);

  /// Returns the factor without the effect of evaluations. Behind the end of the schedule the last
  /// factor stays, except for curves without an end, which go on.
  double factor(std::uint64_t step) const;

  /// Returns the additional factor from the evaluations so far; 1 for all schedules but a plateau.
  double factor_of(const Evaluations& evaluations) const;

 private:
  /// The options of a plateau: each time the patience is used up, the factor is multiplied by
  /// gamma, down to `last`.
  struct Plateau {
    double gamma, last;
    std::size_t patience;
    double min_delta;
  };

  double warmup_ = 0;  // steps
  Curve curve_;        // applies after the warm-up, to steps from the start of the run
  std::optional<Plateau> plateau_;
  Objective monitor_;
};

}  // namespace knead::plan
