#pragma once

#include <cstdint>
#include <vector>

#include "runner/report/followed_run.h"
#include "runner/report/page.h"

namespace knead::report {

/// Returns the parts of a run's page below its curves: expectations, evaluations, time,
/// checkpoints, recipe, model, environment and history. Leaves out those of which nothing is known.
std::vector<Section> run_sections(const FollowedRun& run);

/// Returns the elements of all tensors.
std::uint64_t count_parameters(const std::vector<files::SafetensorsPlace>& tensors);

}  // namespace knead::report
