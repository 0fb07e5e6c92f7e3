#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recipe/train.h"
#include "runner/plan/windows.h"
#include "schema/document/quantity.h"

namespace knead::plan {

/// Returns the steps of a length that is not a time, rounded up, so that 0.5 epochs of 47 steps are
/// 24 steps. `key` is for messages: "train.until". Throws knead::Error if the data does not have
/// its unit (tokens).
std::uint64_t steps_in(std::string_view key, const schema::Quantity& length,
                       const Windows& windows);

/// Returns the steps of a whole run: `until` in steps, as steps_in() counts them. Returns
/// std::nullopt if `until` is a time. Throws knead::Error as steps_in().
std::optional<std::uint64_t> total_steps(const recipe::Train& train, const Windows& windows);

/// Decides when an action with an "every …" key is due. With several intervals, any of them makes
/// it due. Intervals are counted from the start of the run, so that the result at a step does not
/// depend on interruptions. Only times are counted from the previous action, because they depend on
/// the machine anyway.
class Cadence {
 public:
  /// `key` is for messages: "evaluate.every". Throws knead::Error if the data does not have the
  /// unit of an interval (tokens).
  Cadence(std::string_view key, const std::vector<schema::Quantity>& every, const Windows& windows);

  /// Returns whether an interval other than a time ends after `steps` steps. Epochs end on a step
  /// (0.5 epochs of 47 steps: after 24, 47, 71, 94 …), samples on the first step that has consumed
  /// a multiple of them. Never true at 0.
  bool due(std::uint64_t steps) const;

  /// Returns whether the action is due by steps or by time: `now` is at least the shortest time
  /// after `last`, the previous action or the start. Both are in seconds.
  bool due(std::uint64_t steps, double last, double now) const;

  /// Returns whether an interval is a time, so that due(steps) alone does not decide.
  bool has_clock() const { return seconds_.has_value(); }

  /// Counts the intervals, other than times, that have ended after `steps` steps.
  /// checkpoint.keep.every keeps the first checkpoint after each increase.
  std::uint64_t passed(std::uint64_t steps) const;

 private:
  std::uint64_t passed(const schema::Quantity& interval, std::uint64_t steps) const;

  std::vector<schema::Quantity> counted_;  // in steps, epochs, samples
  std::optional<double> seconds_;          // the shortest time
  Windows windows_;
};

}  // namespace knead::plan
