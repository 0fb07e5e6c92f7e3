#pragma once

#include <functional>
#include <map>
#include <string>

#include "runner/engine/parallel/group.h"

namespace knead::engine::cuda {

/// Does the work of one rank of a test, and returns the text that the rank prints.
using Scenario = std::function<std::string(parallel::Group& group)>;

/// Returns the scenarios by name in which all operations of the ranks succeed.
std::map<std::string, Scenario> right_scenarios();

/// Returns the scenarios by name that end in an error, on one rank or on all.
std::map<std::string, Scenario> wrong_scenarios();

}  // namespace knead::engine::cuda
