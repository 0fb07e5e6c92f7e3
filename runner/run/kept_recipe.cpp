#include "runner/run/kept_recipe.h"

#include <algorithm>

namespace knead::run {
namespace {

/// Returns whether an override sets a key, what is below it, or the block that holds it.
bool sets(const std::string& override, const std::string& key) {
  const std::string named = override.substr(0, override.find('='));
  return named == key || named.starts_with(key + ".") || key.starts_with(named + ".");
}

}  // namespace

std::vector<std::string> without_secrets(const std::vector<std::string>& overrides) {
  const auto is_set = [&](const std::string& key) {
    return std::any_of(overrides.begin(), overrides.end(),
                       [&](const std::string& each) { return sets(each, key); });
  };
  // Behind those of the user, which messages number from 1.
  std::vector<std::string> all = overrides;
  if (!is_set("notify")) all.emplace_back("notify=[]");
  if (!is_set("track.to")) all.emplace_back("track.to=[]");
  return all;
}

}  // namespace knead::run
