#include "runner/front/check/check_swept_models.h"

#include <algorithm>

#include "runner/front/check/check_model.h"
#include "schema/variations.h"

namespace knead::front {
namespace {

using Assignments = std::vector<schema::Assignment>;

constexpr std::size_t kMostTried = 500;

bool is_of_model(const std::string& key) { return key == "model" || key.starts_with("model."); }

/// Returns what is tried of a sweep, each on its own.
std::vector<Assignments> models_of(const recipe::Sweep& sweep) {
  std::vector<Assignments> models;
  if (sweep.over) {
    for (const auto& [key, swept] : *sweep.over) {
      if (!is_of_model(key) || !swept.values) continue;
      for (const schema::Node& value : *swept.values) models.push_back({{key, value}});
    }
  }
  if (sweep.list) {
    for (const schema::Node& point : *sweep.list) {
      Assignments all;
      for (const schema::Entry& entry : point.entries) all.push_back({entry.key, entry.value});
      const bool has_model = std::any_of(all.begin(), all.end(),
                                         [](const auto& each) { return is_of_model(each.key); });
      if (has_model) models.push_back(std::move(all));
    }
  }
  models.resize(std::min(models.size(), kMostTried));
  return models;
}

}  // namespace

schema::Problems check_swept_models(const std::string& file,
                                    const std::vector<std::string>& overrides,
                                    const schema::World& world) {
  const schema::Variations variations(file, overrides, world);
  schema::Problems problems;
  for (const Assignments& model : models_of(*variations.base().recipe.sweep)) {
    schema::Checked trial;
    trial.tree = variations.with(model).tree;
    trial.home = world.home.string();
    const schema::Problems found = check_model(trial, world);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  return problems;
}

}  // namespace knead::front
