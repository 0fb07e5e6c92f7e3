#pragma once

#include <string>
#include <vector>

namespace knead::front {

/// Returns the hint for a verb that knead lacks: the nearest of `verbs`, or what does the work of a
/// verb that other trainers have. Names the list of verbs if neither is found. A verb of another
/// trainer counts before a similar word: `validate` is not a slip of `evaluate`.
std::string verb_hint(const std::string& name, const std::vector<std::string>& verbs);

/// Returns the hint for an option that is a key of recipes, has a key as its equivalent
/// (`--max_steps`), or would introduce one (`--set`). `option` is written with dashes and possibly
/// a value, as given in `words`. Returns an empty text for any other option. Searches the whole
/// language on each call.
std::string override_hint(const std::string& option, const std::vector<std::string>& words);

}  // namespace knead::front
