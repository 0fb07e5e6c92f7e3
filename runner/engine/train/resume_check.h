#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/train/run_facts.h"

namespace knead::engine {

/// Returns the execution fingerprint of this process: "libtorch 2.11.0", "AVX512 kernels", "4
/// threads", "cpu", "batch.micro 32", "evaluate.batch 32". A resumed run compares it besides recipe
/// and data; another one changes the last bits of the results. `threads` must be resolved.
std::vector<std::string> fingerprint(const recipe::Recipe& recipe);

/// Checks whether a run may continue from `last`, the manifest of its newest checkpoint; null if
/// there is no checkpoint. Returns sentences about what may differ in the rest of the run, and
/// marks `now` as mixed if the fingerprint differs or the run was mixed before.
///
/// `folder` is that of the run, for messages. `weights` is the identity of the initial weights,
/// empty if they cannot be found, std::nullopt if the recipe names none; it is added to `now`.
/// Throws knead::Error (exit code of a refused resume) if checkpoint.resume is `must` and there is
/// no checkpoint, and the error of schema::resume_refused(), which lists the keys, if the recipe,
/// the model or the data changed. Reads no file.
std::vector<std::string> check_resume(const recipe::Recipe& recipe,
                                      const std::filesystem::path& folder,
                                      const checkpoint::Manifest* last,
                                      const std::optional<std::string>& weights, Facts& now);

}  // namespace knead::engine
