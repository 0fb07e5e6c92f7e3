#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/train/run_facts.h"

namespace knead::engine {

/// Returns the execution fingerprint of this process: the version of LibTorch, its kernels, the
/// number of threads, the device. A resumed run compares it besides recipe and data.
std::vector<std::string> fingerprint(const recipe::Recipe& recipe);

/// Checks whether a run may continue from `last`, the manifest of its newest checkpoint; null if
/// there is no checkpoint. Returns sentences about what may differ from now on, and then marks
/// `now` as mixed. `weights` is the identity of the initial weights, empty if they are not there
/// any more, std::nullopt if the recipe names none; it is added to `now`. Throws knead::Error if
/// the run must resume and cannot, and the error of schema::resume_refused() if the recipe changed.
std::vector<std::string> check_resume(const recipe::Recipe& recipe,
                                      const std::filesystem::path& folder,
                                      const checkpoint::Manifest* last,
                                      const std::optional<std::string>& weights, Facts& now);

}  // namespace knead::engine
