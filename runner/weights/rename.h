#pragma once

#include <string>
#include <vector>

namespace knead::weights {

/// `match` is a regular expression of ECMAScript; each part of a name that it fits becomes `with`,
/// in which $1 is the first group.
struct Rename {
  std::string match;
  std::string with;
};

/// The names after all rules, each applied to what the one before left. Throws knead::Error, in
/// which `file` is named, for a rule that fits no name, and where two names become the same.
std::vector<std::string> renamed(std::vector<std::string> names, const std::vector<Rename>& rules,
                                 const std::string& file);

}  // namespace knead::weights
