#pragma once

#include <cstdint>
#include <vector>

#include "runner/report/followed_run.h"
#include "runner/report/page.h"

namespace knead::report {

/// Returns the parts of a run's page below its curves: expectations, evaluations, time,
/// checkpoints, recipe, model, environment and history. Leaves out those of which nothing is known.
std::vector<Section> run_sections(const FollowedRun& run);

/// Adds what is known of the time of all steps and, by the last profile, of one step.
void add_time(const FollowedRun& run, std::vector<Section>& sections);
/// Adds the values of the recipe that are no defaults, with their origins, and its text.
void add_recipe(const FollowedRun& run, std::vector<Section>& sections);
/// Adds the tensors of the newest checkpoint.
void add_model(const FollowedRun& run, std::vector<Section>& sections);

/// Returns the elements of all tensors.
std::uint64_t count_parameters(const std::vector<files::SafetensorsPlace>& tensors);

}  // namespace knead::report
