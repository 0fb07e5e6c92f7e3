#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recipe.h"
#include "runner/plan/windows.h"
#include "schema/document/quantity.h"

namespace knead::plan {

/// The steps of a whole run: `until` in steps, rounded up, so that it is never shorter than what
/// the recipe says: 0.5 epochs of 47 steps are 24 steps. Nothing where it is a time. Throws
/// knead::Error where it is in a unit that the data does not have (tokens).
std::optional<std::uint64_t> total_steps(const recipe::Train& train, const Windows& windows);

/// When something that a recipe says "every …" about falls due. Several intervals: whichever comes
/// first. Each is counted from the start of the run and not from the last time, so that what is due
/// at a step does not depend on where a run was interrupted; only times are counted from the last
/// time, because they do depend on the machine anyway.
class Cadence {
 public:
  /// `key` is for messages: "evaluate.every". Throws knead::Error where an interval is in a unit
  /// that the data does not have (tokens).
  Cadence(std::string_view key, const std::vector<schema::Quantity>& every, const Windows& windows);

  /// Whether it is due when `steps` steps are done, the clock aside. Epochs fall on the step that
  /// ends them (0.5 epochs of 47 steps: after 24, 47, 71, 94 …), samples on the first step that has
  /// consumed a multiple of them. Never at 0.
  bool due(std::uint64_t steps) const;

  /// The same with the clock: also due where `now` is at least the interval after `last`, the time
  /// at which it was last done (the start, if never). Both in seconds.
  bool due(std::uint64_t steps, double last, double now) const;

  /// Whether an interval is a time: then due(steps) is not all there is to say.
  bool has_clock() const { return seconds_.has_value(); }

  /// How many intervals have passed after `steps` steps, the clock aside: it grows where something
  /// is due. checkpoint.keep.every keeps the first checkpoint after each growth.
  std::uint64_t passed(std::uint64_t steps) const;

 private:
  std::uint64_t passed(const schema::Quantity& interval, std::uint64_t steps) const;

  std::vector<schema::Quantity> counted_;  // in steps, epochs, samples
  std::optional<double> seconds_;          // the shortest time
  Windows windows_;
};

}  // namespace knead::plan
