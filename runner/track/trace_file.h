#pragma once

#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/trace/recorded.h"

namespace knead::track {

/// Returns the content of a trace file in Chrome's format (Trace Event Format), an event per line,
/// with the categories of PyTorch's traces: spans as complete events ("X") of user_annotation and
/// cpu_op; GPU work as kernel, gpu_memcpy and gpu_memset, with a process per GPU, a thread per
/// stream and an arrow from the launching call (ac2g); memory as a counter; `about` as otherData.
/// Times are microseconds from the first recorded event.
///
/// All spans must have ended. Borrows `recorded`, which must outlive the content; the text is made
/// in pieces when the content is written.
files::Content trace_file(const trace::Recorded& recorded, nlohmann::json about);

}  // namespace knead::track
