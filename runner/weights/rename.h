#pragma once

#include <string>
#include <vector>

namespace knead::weights {

/// Describes a rule for renaming tensors: every part of a name that the ECMAScript regular
/// expression `match` matches is replaced by `with`, in which $1 is the first group. `match:
/// "^module\."` with an empty `with` removes a prefix.
struct Rename {
  std::string match;
  std::string with;
};

/// Applies all rules in order to `names` and returns the new names in the same order; a rule sees
/// the names that the rules before have made. Throws knead::Error that names `file`, with the exit
/// code of an invalid recipe, if a rule matches no name or if two names become equal. Pure.
std::vector<std::string> renamed(std::vector<std::string> names, const std::vector<Rename>& rules,
                                 const std::string& file);

}  // namespace knead::weights
