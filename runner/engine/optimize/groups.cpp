#include "runner/engine/optimize/groups.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/table/glob.h"

namespace knead::engine::optimize {
namespace {

std::string quoted(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

/// Throws knead::Error for a group without parameters. Tells a selector that fits none from one
/// whose parameters all belong to earlier groups.
[[noreturn]] void refuse_group(std::size_t number, const Selector& selector,
                               const NamedTensors& parameters, const std::vector<Names>& names) {
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!selector.fits(parameters[i].tensor, names[i])) continue;
    throw Error(fmt::format("optimizer.groups.{} ({}) is left with no parameter: groups before it "
                            "have all that it fits",
                            number, selector.words()),
                "the first group that fits has a parameter: write the narrower group first",
                Exit::invalid_recipe);
  }
  Names all;
  for (const Names& each : names) all.insert(all.end(), each.begin(), each.end());
  const auto near = schema::nearest_to_glob(selector.match.value_or(""), all, kShown);
  std::string remedy = "did you mean " + quoted(near) + "?";
  if (near.empty()) {
    const bool is_cut = all.size() > kShown;
    all.resize(std::min(all.size(), kShown));
    remedy = "there is " + quoted(all) + (is_cut ? " …; knead plan lists them all" : "");
  }
  throw Error(fmt::format("optimizer.groups.{} ({}) fits no parameter", number, selector.words()),
              remedy, Exit::invalid_recipe);
}

}  // namespace

bool Selector::fits(const at::Tensor& parameter, const Names& names) const {
  const std::int64_t ndim = parameter.dim();
  const auto is_meant = [&](const std::string& name) { return schema::matches_glob(*match, name); };
  return (!match || std::any_of(names.begin(), names.end(), is_meant)) &&
         (!ndim_below || ndim < *ndim_below) && (!ndim_at_least || ndim >= *ndim_at_least);
}

std::string Selector::words() const {
  std::string words;
  const auto add = [&words](const std::string& word) {
    words += (words.empty() ? "" : ", ") + word;
  };
  if (match) add(fmt::format("match '{}'", *match));
  if (ndim_below) add(fmt::format("ndim_below {}", *ndim_below));
  if (ndim_at_least) add(fmt::format("ndim_at_least {}", *ndim_at_least));
  return words;
}

std::vector<std::size_t> assign(const std::vector<Selector>& selectors,
                                const NamedTensors& parameters, const std::vector<Names>& names) {
  std::vector<std::size_t> group_of;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto first = std::find_if(
        selectors.begin(), selectors.end(),
        [&](const Selector& selector) { return selector.fits(parameters[i].tensor, names[i]); });
    group_of.push_back(first - selectors.begin());
  }
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    if (std::find(group_of.begin(), group_of.end(), i) == group_of.end())
      refuse_group(i, selectors[i], parameters, names);
  }
  return group_of;
}

}  // namespace knead::engine::optimize
