#include "runner/engine/job/choose_modules.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/document/error.h"
#include "schema/table/glob.h"

namespace knead::engine {
namespace {

using Modules = std::vector<model::ModuleFacts>;

constexpr std::size_t kModulesShown = 4;

/// Returns a hint for a pattern that matches no module: similar names, or some that there are.
std::string remedy_for(const std::string& pattern, const Modules& modules) {
  std::vector<std::string> all;
  for (const model::ModuleFacts& module : modules) {
    if (module.has_forward) all.push_back(module.path);
  }
  const auto near = schema::nearest_to_glob(pattern, all, kModulesShown);
  if (!near.empty()) return fmt::format("did you mean '{}'?", fmt::join(near, "', '"));
  const bool is_cut = all.size() > kModulesShown;
  all.resize(std::min(all.size(), kModulesShown));
  return fmt::format("there is '{}'{}", fmt::join(all, "', '"),
                     is_cut ? " …; knead plan lists them all" : "");
}

/// Appends the paths of the modules that a pattern matches. Throws knead::Error if there is none,
/// or only a list.
void choose(const Modules& modules, const std::string& place, const std::string& pattern,
            std::vector<std::string>& chosen) {
  const model::ModuleFacts* list = nullptr;  // matches, and is never called itself
  bool any = false;
  for (const model::ModuleFacts& module : modules) {
    if (!schema::matches_glob(pattern, module.path)) continue;
    if (!module.has_forward) {
      list = &module;
      continue;
    }
    any = true;
    chosen.push_back(module.path);
  }
  if (any) return;
  if (list)
    throw Error(fmt::format("{}: '{}' is a {}, which is never called itself", place, list->path,
                            list->kind.type),
                fmt::format("write '{}.*' for what is in it", list->path), Exit::invalid_recipe);
  throw Error(fmt::format("{}: '{}' fits no module", place, pattern), remedy_for(pattern, modules),
              Exit::invalid_recipe);
}

}  // namespace

std::vector<std::string> choose_modules(const model::Model& model,
                                        const std::vector<std::string>& patterns,
                                        const std::string& key) {
  Modules modules = model.modules();
  modules.erase(modules.begin());  // the model itself, which is not within another module
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    choose(modules, fmt::format("{}.{}", key, i), patterns[i], chosen);
  return chosen;
}

}  // namespace knead::engine
