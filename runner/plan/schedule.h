#pragma once

#include <cstdint>

#include "recipe.h"
#include "runner/plan/curve.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "schema/rules/lengths.h"

namespace knead::plan {

/// The factor on the learning rate as a pure function of the step and, for a plateau, of the
/// evaluations so far. The value at step s is what the update s uses; warm-up is (s + 1) / warm-up
/// steps, so that the first update is never a no-op.
class Schedule {
 public:
  /// `total`: the steps of the run, infinite where its length is a time. `monitor`: the metric that
  /// a plateau looks at. Throws knead::Error where a length of the schedule cannot be told in
  /// steps, the warm-up is not shorter than what it leads to, or phases leave the last one no step.
  Schedule(const recipe::Schedule& schedule, const schema::Epoch& epoch, double total,
           Objective monitor);

  /// Without regard to evaluations.
  double factor(std::uint64_t step) const;

  /// What the evaluations so far make of it: times this. 1 for all schedules but a plateau.
  double factor_of(const Evaluations& evaluations) const;

 private:
  struct Plateau {
    double gamma, last;
    std::size_t patience;
    double min_delta;
  };

  double warmup_ = 0;  // steps
  Curve curve_;        // after the warm-up; its steps are those of the run
  std::optional<Plateau> plateau_;
  Objective monitor_;
};

}  // namespace knead::plan
