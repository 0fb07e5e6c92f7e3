#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/trace/recorded.h"

namespace knead::track {

/// Returns the earliest time of a recording.
trace::Nanoseconds first_of(const trace::Recorded& recorded);

/// Says whose events a trace shows: each rank of a run is a process of its own in it.
struct TracedRank {
  int rank = 0;
  int ranks = 1;
  /// The time, by the clock of the rank, that is 0 in the trace. Viewers refuse negative times.
  trace::Nanoseconds first = 0;
};

/// Returns the events of one of several ranks as trace_file() writes them, for the file of rank 0.
std::string trace_events(const trace::Recorded& recorded, const TracedRank& rank);

/// Returns the content of a trace file in Chrome's format (Trace Event Format), an event per line,
/// with the categories of PyTorch's traces: spans as complete events ("X") of user_annotation and
/// cpu_op; GPU work as kernel, gpu_memcpy and gpu_memset, with a process per GPU, a thread per
/// stream and an arrow from the launching call (ac2g); memory as a counter; `about` as otherData.
/// Times are microseconds from `rank.first`. `others` are the trace_events() of other ranks.
///
/// All spans must have ended. Borrows `recorded`, which must outlive the content; the text is made
/// in pieces when the content is written.
files::Content trace_file(const trace::Recorded& recorded, nlohmann::json about,
                          const TracedRank& rank, std::vector<std::string> others = {});

/// Returns the content of the trace file of a single process, which begins with its first event.
files::Content trace_file(const trace::Recorded& recorded, nlohmann::json about);

}  // namespace knead::track
