#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/trace/recorded.h"

namespace knead::track {

/// Sums up the spans of one name. Times are in seconds.
struct TimeRow {
  std::string name;
  std::uint64_t calls = 0;
  double own = 0;              // without the spans inside
  double whole = 0;            // with the spans inside
  double device = 0;           // GPU time: of an operator its own, of a part with all inside
  std::int64_t allocated = 0;  // bytes, without the spans inside
};

/// Returns the operators and backward functions of all threads, sorted by GPU time and then by own
/// time, the largest first.
std::vector<TimeRow> operator_rows(const trace::Recorded& recorded);

/// Returns the parts of a step that the training loop names, in the order in which they first
/// began. Parts inside a part follow it, their names indented.
std::vector<TimeRow> part_rows(const trace::Recorded& recorded);

/// Returns the busy time, in TimeRow::whole, of the other threads (without waits) and of the GPUs.
std::vector<TimeRow> other_rows(const trace::Recorded& recorded);

/// Returns the lines of a table for users: the parts of a step, the other threads and GPUs, then
/// the operators. Times are milliseconds per step. Empty if no step was recorded.
std::vector<std::string> time_table(const trace::Recorded& recorded, bool with_memory);

}  // namespace knead::track
