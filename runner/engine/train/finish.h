#pragma once

#include <filesystem>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/files/file_system.h"
#include "runner/plan/expectations.h"
#include "runner/run/stop.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {

/// How a run has ended.
struct Finished {
  Exit code = Exit::done;
  std::vector<plan::Judgement> expectations{};  // as `expect` lists them
};

/// Finishes a run after its last step: evaluates the test set once with the best weights, on all
/// ranks; then rank 0 alone writes the exports to <run>/export/ and judges the expectations, one
/// sentence each on the console. Overwrites the weights of the job's model by those of checkpoints,
/// and frees its optimizer. A finished run that is
/// started again does the same again, because its journals were cut back to the last checkpoint.
///
/// The code is Exit::done, Exit::expectation_failed if an expectation is not met, or Exit::stopped
/// if `stop` was requested during the test evaluation; the exports and the judgement are then left
/// to the next start. Warns about damaged checkpoints that it skips. Throws knead::Error if no
/// checkpoint is whole or an export cannot be written.
Finished finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
                const std::filesystem::path& run_folder, const run::Stop& stop);

/// Takes part in finish() of rank 0 as another rank. Returns Exit::done or Exit::stopped.
Exit finish_on_other_rank(Job& job, const std::filesystem::path& run_folder, const run::Stop& stop);

}  // namespace knead::engine
