#include "runner/engine/job/parameter_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/table/glob.h"

namespace knead::engine {
namespace {

constexpr std::size_t kNamesShown = 4;

std::string quoted(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

}  // namespace

std::vector<Names> names_of_parameters(const model::Model& model) {
  return names_of(model.parameters(), model);
}

std::vector<Names> names_of(const NamedTensors& parameters, const model::Model& model) {
  std::vector<Names> names;
  for (const NamedTensor& parameter : parameters) {
    names.push_back({parameter.name});
    for (const model::Alias& alias : model.aliases()) {
      if (alias.of == parameter.name) names.back().push_back(alias.name);
    }
  }
  return names;
}

bool fits(const std::string& pattern, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return schema::matches_glob(pattern, name); });
}

std::string pattern_remedy(const std::string& pattern, const std::vector<Names>& parameters) {
  Names all;
  for (const Names& names : parameters) all.insert(all.end(), names.begin(), names.end());
  // A pattern that names a module matches none of its parameters.
  if (const std::string below = pattern + ".*"; fits(below, all))
    return fmt::format("write '{}' for all that is below it", below);
  const Names near = schema::nearest_to_glob(pattern, all, kNamesShown);
  if (!near.empty()) return fmt::format("did you mean {}?", quoted(near));
  // A model may have thousands of names, and a remedy is one line.
  const bool is_cut = all.size() > kNamesShown;
  all.resize(std::min(all.size(), kNamesShown));
  return fmt::format("there is {}{}", quoted(all), is_cut ? " …; knead plan lists them all" : "");
}

}  // namespace knead::engine
