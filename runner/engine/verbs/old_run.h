#pragma once

#include <filesystem>
#include <string>

#include "recipe.h"
#include "runner/checkpoint/store.h"
#include "runner/engine/verbs/call.h"
#include "runner/run/run_folder.h"

namespace knead::engine {

/// Returns the newest checkpoint that is whole; none if --fresh or checkpoint.resume asks for a new
/// run. Throws Error if the run was finished and none of its checkpoints is left: it must not begin
/// from scratch by itself.
checkpoint::Recovery recover(const Call& call, const recipe::Recipe& recipe,
                             const std::filesystem::path& folder, checkpoint::Store& store,
                             checkpoint::Hold hold);

/// Moves aside what a run has left that is not resumed, unless it ended before it saved anything.
/// Called when all that the new run needs has been found. Returns a note about it; empty if there
/// was nothing to keep.
std::string keep_old_run(const Call& call, const recipe::Recipe& recipe, run::RunFolder& folder,
                         checkpoint::Store& store);

}  // namespace knead::engine
