#include "runner/plan/due.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/rules/lengths.h"

namespace knead::plan {
namespace {

using schema::Quantity;
using schema::Unit;

/// Throws the error of a length in a unit that the data does not have.
[[noreturn]] void refuse_length(std::string_view key, const Quantity& length) {
  throw Error(fmt::format("{} {} cannot be told in steps", key, schema::to_string(length)),
              "write it in steps, epochs or samples", Exit::invalid_recipe);
}

/// Counts how often `interval` fits into `length`, both in one unit. A quotient that only a
/// rounding error keeps below a whole number counts as whole.
std::uint64_t fits(double interval, double length) {
  return static_cast<std::uint64_t>(std::floor(length / interval * (1 + 1e-12)));
}

}  // namespace

std::uint64_t steps_in(std::string_view key, const Quantity& length, const Windows& windows) {
  const auto steps = schema::in_steps(length, windows.epoch());
  if (!steps) refuse_length(key, length);
  return static_cast<std::uint64_t>(*steps);
}

std::optional<std::uint64_t> total_steps(const recipe::Train& train, const Windows& windows) {
  if (train.until.unit == Unit::seconds) return std::nullopt;
  return steps_in("train.until", train.until, windows);
}

Cadence::Cadence(std::string_view key, const std::vector<Quantity>& every, const Windows& windows)
    : windows_(windows) {
  for (const Quantity& interval : every) {
    switch (interval.unit) {
      case Unit::seconds:
        seconds_ = seconds_ ? std::min(*seconds_, interval.value) : interval.value;
        break;
      case Unit::steps:
      case Unit::epochs:
      case Unit::samples: counted_.push_back(interval); break;
      case Unit::tokens:
        if (windows.epoch().tokens == 0) refuse_length(key, interval);
        // An interval of tokens need not be a whole number of samples: samples are counted with
        // fractions.
        counted_.push_back({interval.value / windows.epoch().tokens, Unit::samples});
        break;
      default: refuse_length(key, interval);
    }
  }
}

bool Cadence::due(std::uint64_t steps) const {
  return steps > 0 && passed(steps) > passed(steps - 1);
}

bool Cadence::due(std::uint64_t steps, double last, double now) const {
  return due(steps) || (steps > 0 && seconds_ && now - last >= *seconds_);
}

std::uint64_t Cadence::passed(std::uint64_t steps) const {
  std::uint64_t sum = 0;
  for (const Quantity& interval : counted_) sum += passed(interval, steps);
  return sum;
}

std::uint64_t Cadence::passed(const Quantity& interval, std::uint64_t steps) const {
  const auto done = static_cast<double>(steps);
  switch (interval.unit) {
    case Unit::epochs:
      return fits(interval.value * static_cast<double>(windows_.steps_per_epoch()), done);
    case Unit::samples:
      return fits(interval.value, static_cast<double>(windows_.samples_after(steps)));
    default: return fits(interval.value, done);
  }
}

}  // namespace knead::plan
