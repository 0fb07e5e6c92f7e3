#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/trace/recorded.h"

namespace knead::track {

/// All spans with one name, added up. Times in seconds.
struct TimeRow {
  std::string name;
  std::uint64_t calls = 0;
  double own = 0;              // without the operators within it
  double whole = 0;            // with them
  double device = 0;           // of a GPU: for operators by themselves, for parts with all in them
  std::int64_t allocated = 0;  // bytes, by itself
};

/// Operators and backward functions of all threads, those with the most time of their own first;
/// where a GPU worked, its time counts.
std::vector<TimeRow> operator_rows(const trace::Recorded& recorded);

/// The parts of a step that the loop names, in the order in which they first began; behind each
/// those within it, indented.
std::vector<TimeRow> part_rows(const trace::Recorded& recorded);

/// The threads beside the loop's, and the GPUs: what they did but wait.
std::vector<TimeRow> other_rows(const trace::Recorded& recorded);

/// What a person reads of it, as lines: the parts of its steps, what else was at work, then
/// operators. Times are milliseconds a step. None where it holds no step.
std::vector<std::string> time_table(const trace::Recorded& recorded, bool with_memory);

}  // namespace knead::track
