#include "runner/run/progress.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schema/document/error.h"

namespace knead::run {
namespace {

constexpr const char* kSampleWeight = "sample_weight";

/// Visits each member that all checkpoints have, with its name. Writing and reading share this
/// list, so that both have all members.
template <class P, class Visit>
void for_each_member(P& progress, Visit&& visit) {
  visit("step", progress.step);
  visit("samples", progress.samples);
  visit("seconds", progress.seconds);
  visit("skipped", progress.skipped);
  visit("skipped_in_a_row", progress.skipped_in_a_row);
  visit("loss_scale", progress.loss_scale.value);
  visit("loss_scale_good_steps", progress.loss_scale.good_steps);
  visit("loss_sum", progress.loss_sum);
  visit("loss_weight", progress.loss_weight);
  visit("reported_at", progress.reported_at);
  visit("saved_at", progress.saved_at);
  visit("evaluated_at", progress.evaluated_at);
}

}  // namespace

nlohmann::json to_json(const Progress& progress) {
  nlohmann::json json;
  for_each_member(progress, [&](const char* name, const auto& value) { json[name] = value; });
  if (progress.sample_weight != 0) json[kSampleWeight] = progress.sample_weight;
  return json;
}

Progress progress_from(const nlohmann::json& json) {
  Progress progress;
  for_each_member(progress, [&](const char* name, auto& value) {
    const auto found = json.find(name);
    // A missing member would silently change the rest of the run, so it has no default here.
    if (found == json.end() || !found->is_number())
      throw Error(fmt::format("the checkpoint does not say '{}'", name));
    value = found->template get<std::remove_reference_t<decltype(value)>>();
  });
  progress.sample_weight = json.value(kSampleWeight, 0.0);
  return progress;
}

}  // namespace knead::run
