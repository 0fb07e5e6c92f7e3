#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/track/timeline.h"

namespace knead::track {

/// All spans of a timeline with one name, added up. Times in seconds.
struct TimeRow {
  std::string name;
  std::uint64_t calls = 0;
  double own = 0;              // without the operators within it
  double whole = 0;            // with them
  std::int64_t allocated = 0;  // bytes, by itself
};

/// Operators and backward functions, those with the most time of their own first.
std::vector<TimeRow> operator_rows(const Timeline& timeline);

/// The parts of a step that the loop names, in the order in which they first began.
std::vector<TimeRow> part_rows(const Timeline& timeline);

/// What a person reads of a timeline, as lines: the parts of its steps, then their operators. Times
/// are milliseconds a step. None where it holds no step.
std::vector<std::string> time_table(const Timeline& timeline, bool with_memory);

}  // namespace knead::track
