#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/trace/recorded.h"

namespace knead::track {

/// Sums up the spans of one name. Times are in seconds.
struct TimeRow {
  /// Name of the operator, part, thread or device; names of inner parts begin with two blanks a
  /// level.
  std::string name;
  /// Number of spans over all recorded steps.
  std::uint64_t calls = 0;
  /// Time of the host outside of the operators directly within the spans.
  double own = 0;
  /// Time of the host from begin to end.
  double whole = 0;
  /// GPU time: for an operator of the work that it launched itself, for a part of all work within
  /// it.
  double device = 0;
  /// Bytes that the spans allocated themselves, without those of spans inside.
  std::int64_t allocated = 0;
};

/// Returns the operators and backward functions of all threads, a row per name, sorted by GPU time
/// and then by own time, the largest first.
std::vector<TimeRow> operator_rows(const trace::Recorded& recorded);

/// Returns the parts of a step that the training loop names, in the order in which they first
/// began. Parts inside a part follow it, their names indented. One name in two parts gives two
/// rows.
std::vector<TimeRow> part_rows(const trace::Recorded& recorded);

/// Returns the busy time, in TimeRow::whole, of the other threads (without waits) and of the GPUs
/// ("GPU 0"; time in which at least one stream worked).
std::vector<TimeRow> other_rows(const trace::Recorded& recorded);

/// Returns the lines of a table for users: the parts of a step, the other threads and GPUs, then
/// the 20 longest operators and the sum of the others. Times are milliseconds per step, shares
/// refer to the time of all steps. `with_memory` adds a column of allocated bytes. Empty if no step
/// was recorded.
std::vector<std::string> time_table(const trace::Recorded& recorded, bool with_memory);

}  // namespace knead::track
