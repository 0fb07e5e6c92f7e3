#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/train/run_facts.h"

namespace knead::engine {

/// What the start of a run is compared by, besides its recipe and data: library, kernels, threads,
/// device.
std::vector<std::string> fingerprint(const recipe::Recipe& recipe);

/// `last`: the manifest that a run would go on from, or null. Throws knead::Error where it must go
/// on from one and cannot, or schema's where the recipe has changed; gives sentences about what may
/// differ from now on, and marks `now` where it does. `weights`: what they are that the run begins
/// with, empty where they are not there any more; nothing where the recipe names none. They become
/// one of the facts.
std::vector<std::string> check_resume(const recipe::Recipe& recipe,
                                      const std::filesystem::path& folder,
                                      const checkpoint::Manifest* last,
                                      const std::optional<std::string>& weights, Facts& now);

}  // namespace knead::engine
