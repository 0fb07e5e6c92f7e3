#pragma once

#include <filesystem>

#include "runner/engine/job/job.h"
#include "runner/files/file_system.h"
#include "runner/run/stop.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {

/// What follows the last step of a run: the test set is evaluated once, with the best weights; what
/// is to be exported is written; expectations are judged. May be done again: what is there already
/// is not made twice. Throws knead::Error where an export cannot be written.
Exit finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
            const std::filesystem::path& run_folder, const Stop& stop);

}  // namespace knead::engine
