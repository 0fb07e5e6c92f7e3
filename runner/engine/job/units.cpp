#include "runner/engine/job/units.h"

#include <algorithm>
#include <map>

#include "runner/engine/job/choose_modules.h"

namespace knead::engine {
namespace {

using Modules = std::vector<model::ModuleFacts>;

/// Returns whether a module or parameter lies within a module.
bool is_within(const std::string& path, const std::string& module) {
  return path.size() > module.size() && path.starts_with(module) && path[module.size()] == '.';
}

bool is_child(const std::string& path, const std::string& module) {
  if (module.empty()) return !path.empty() && path.find('.') == std::string::npos;
  return is_within(path, module) && path.find('.', module.size() + 1) == std::string::npos;
}

/// Returns the paths without those that lie within another one.
std::vector<std::string> outermost(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    const bool is_inner = std::any_of(paths.begin(), paths.end(), [&](const std::string& other) {
      return is_within(path, other);
    });
    if (!is_inner && std::find(out.begin(), out.end(), path) == out.end()) out.push_back(path);
  }
  return out;
}

/// Returns the lists of modules of a kind that lie within no other list of it.
std::vector<std::string> lists(const Modules& modules, const std::string& type) {
  std::vector<std::string> paths;
  for (const model::ModuleFacts& module : modules)
    if (module.kind.type == type && module.same_as.empty()) paths.push_back(module.path);
  return outermost(paths);
}

std::vector<std::string> default_units(const Modules& modules) {
  std::vector<std::string> parents = lists(modules, "ModuleList");
  if (parents.empty()) parents = lists(modules, "Sequential");
  if (parents.empty()) parents = {""};
  std::vector<std::string> paths;
  for (const model::ModuleFacts& module : modules) {
    const bool is_in_list =
        std::any_of(parents.begin(), parents.end(),
                    [&](const std::string& parent) { return is_child(module.path, parent); });
    if (is_in_list && module.has_forward && module.same_as.empty()) paths.push_back(module.path);
  }
  return paths;
}

/// Returns the number of the unit that holds a name; 0 if none does.
std::size_t unit_of(const std::string& name, const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (is_within(name, paths[i])) return i + 1;
  return 0;
}

/// Returns the unit of each parameter; 0 for one whose names are in several.
std::vector<std::size_t> units_of_parameters(const model::Model& model,
                                             const std::vector<std::string>& paths) {
  std::map<std::string, std::size_t> units;
  for (const NamedTensor& parameter : model.parameters())
    units[parameter.name] = unit_of(parameter.name, paths);
  for (const model::Alias& alias : model.aliases()) {
    const auto found = units.find(alias.of);
    if (found != units.end() && found->second != unit_of(alias.name, paths)) found->second = 0;
  }
  std::vector<std::size_t> of_parameters;
  for (const NamedTensor& parameter : model.parameters())
    of_parameters.push_back(units.at(parameter.name));
  return of_parameters;
}

}  // namespace

ModelUnits units_of(const model::Model& model,
                    const std::optional<std::vector<std::string>>& patterns) {
  const std::vector<std::string> chosen =
      outermost(patterns ? choose_modules(model, *patterns, "distributed.units")
                         : default_units(model.modules()));
  // A module without parameters of its own need not be a unit.
  const std::vector<std::size_t> all = units_of_parameters(model, chosen);
  ModelUnits units;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (std::find(all.begin(), all.end(), i + 1) != all.end()) units.paths.push_back(chosen[i]);
  units.of_parameters = units_of_parameters(model, units.paths);
  return units;
}

void UnitGathering::need(std::size_t unit) {
  if (const auto shards = shards_.lock()) shards->open(unit);
}

void UnitGathering::forward_done(std::size_t unit) {
  if (const auto shards = shards_.lock()) shards->close(unit);
}

void UnitGathering::backward_done(std::size_t unit) {
  if (const auto shards = shards_.lock()) shards->close(unit);
}

}  // namespace knead::engine
