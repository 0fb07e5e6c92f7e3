#include "runner/engine/measure.h"

#include <fmt/format.h>

#include "runner/data/sets.h"
#include "runner/plan/schedule.h"
#include "runner/plan/windows.h"
#include "schema/lengths.h"

namespace knead::engine {

std::string measure(const recipe::Recipe& recipe) {
  const data::Sets sets = data::read_sets(recipe.data, static_cast<std::uint64_t>(recipe.seed));
  const plan::Windows windows(sets.train.size(), static_cast<std::uint64_t>(recipe.batch.size),
                              recipe.data.drop_last);
  std::string samples = fmt::format("{} to train on", sets.train.size());
  if (sets.validation) samples += fmt::format(", {} to validate", sets.validation->size());
  if (sets.test) samples += fmt::format(", {} to test", sets.test->size());
  std::string length = fmt::format("{} an epoch", windows.steps_per_epoch());
  const auto total = schema::in_steps(recipe.train.until, windows.epoch());
  if (total) {
    const plan::Schedule schedule(recipe.schedule, windows.epoch(), *total);
    const auto last = static_cast<std::uint64_t>(*total) - 1;
    length += fmt::format(", {:.0f} in all; the schedule's factor goes from {:g} to {:g}", *total,
                          schedule.factor(0), schedule.factor(last));
  }
  return fmt::format("  {:<10} {}\n  {:<10} {}\n", "samples", samples, "steps", length);
}

}  // namespace knead::engine
