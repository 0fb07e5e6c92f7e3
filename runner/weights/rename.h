#pragma once

#include <string>
#include <vector>

namespace knead::weights {

/// Describes a rule for renaming tensors: every part of a name that the ECMAScript regular
/// expression `match` matches is replaced by `with`, in which $1 is the first group.
struct Rename {
  std::string match;
  std::string with;
};

/// Applies all rules in order to `names` and returns the new names. Throws knead::Error that names
/// `file` if a rule matches no name or if two names become equal.
std::vector<std::string> renamed(std::vector<std::string> names, const std::vector<Rename>& rules,
                                 const std::string& file);

}  // namespace knead::weights
