#pragma once

#include <filesystem>

#include "runner/engine/job/job.h"
#include "runner/files/file_system.h"
#include "runner/run/stop.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {

/// Finishes a run after its last step: evaluates the test set once with the best weights, writes
/// the exports and judges the expectations. A finished run that is started again does the same
/// again, because its journals were cut back to the last checkpoint. Returns Exit::stopped if
/// `stop` was requested during the test evaluation. Throws knead::Error if an export cannot be
/// written.
Exit finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
            const std::filesystem::path& run_folder, const run::Stop& stop);

}  // namespace knead::engine
