#pragma once

#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/trace/recorded.h"

namespace knead::track {

/// The text of a trace file in Chrome's format, an event a line, as PyTorch's own traces are:
/// spans of threads as complete events ("X") of the categories user_annotation and cpu_op; what
/// GPUs did as kernel, gpu_memcpy and gpu_memset, a process for each and a thread for each stream,
/// with an arrow from where it was asked for (ac2g); memory as a counter; `about` as otherData. All
/// spans must have ended. Borrows `recorded`.
files::Content trace_file(const trace::Recorded& recorded, nlohmann::json about);

}  // namespace knead::track
