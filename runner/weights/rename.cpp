#include "runner/weights/rename.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/regular_expression.h"

namespace knead::weights {
namespace {

/// Lists the first few names as examples.
std::string some(const std::vector<std::string>& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 3);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  return names.size() > shown ? text + ", …" : text;
}

/// Throws knead::Error if two tensors have the same name after renaming.
void check_distinct(const std::vector<std::string>& before, const std::vector<std::string>& after,
                    const std::string& file) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto [first, is_new] = seen.emplace(after[i], i);
    if (is_new) continue;
    throw Error(fmt::format("model.weights.rename makes '{}' of both '{}' and '{}' of {}", after[i],
                            before[first->second], before[i], file),
                "let its rules match one of them only", Exit::invalid_recipe);
  }
}

}  // namespace

std::vector<std::string> renamed(std::vector<std::string> names, const std::vector<Rename>& rules,
                                 const std::string& file) {
  const std::vector<std::string> before = names;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const schema::RegularExpression pattern(rules[i].match);
    bool fits = false;
    // The examples show the names that this rule sees, before it changes them.
    const std::string example = some(names);
    for (std::string& name : names) {
      if (!pattern.find(name)) continue;
      fits = true;
      name = pattern.replace(name, rules[i].with);
    }
    if (!fits)
      throw Error(
          fmt::format("model.weights.rename.{}: '{}' matches no name in {}", i, rules[i].match,
                      file),
          fmt::format("its names are {}{}", example, i == 0 ? "" : ", after the rules before"),
          Exit::invalid_recipe);
  }
  check_distinct(before, names, file);
  return names;
}

}  // namespace knead::weights
