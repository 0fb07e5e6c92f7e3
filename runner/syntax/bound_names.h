#pragma once

#include <functional>
#include <set>
#include <string>

#include "runner/syntax/tree.h"

namespace knead::syntax {

using Names = std::set<std::string, std::less<>>;

/// The names that the statements of a body give a value to in the scope that the body stands in.
Names bound_names(const Body& body);

/// Those that a target of an assignment or a loop gives one to: `a, (b, *c)`.
Names target_names(const Expression& target);

}  // namespace knead::syntax
