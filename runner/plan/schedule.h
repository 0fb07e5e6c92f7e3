#pragma once

#include <cstdint>

#include "recipe.h"
#include "schema/lengths.h"

namespace knead::plan {

/// The factor on the learning rate as a pure function of the step. The value at step s is what the
/// update s uses; warm-up is (s + 1) / warm-up steps, so that the first update is never a no-op.
class Schedule {
 public:
  /// `total`: the steps of the run. Throws knead::Error where a length of the schedule cannot be
  /// told in steps, or the warm-up is not shorter than what it leads to.
  Schedule(const recipe::Schedule& schedule, const schema::Epoch& epoch, double total);

  double factor(std::uint64_t step) const;

 private:
  enum class Shape { constant, cosine };

  Shape shape_ = Shape::constant;
  double warmup_ = 0;  // steps
  double over_ = 0;    // steps, warm-up included; past it the last factor stays
  double last_ = 1;    // the last factor
};

}  // namespace knead::plan
