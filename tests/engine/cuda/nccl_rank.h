#pragma once

#include <functional>
#include <map>
#include <string>

#include "runner/engine/parallel/group.h"

namespace knead::engine::cuda {

/// What a rank of the test does; returns what it has to say.
using Scenario = std::function<std::string(parallel::Group& group)>;

/// What ranks do together, by name: operations that go well.
std::map<std::string, Scenario> right_scenarios();

/// Operations that end in an error, on one rank or on all.
std::map<std::string, Scenario> wrong_scenarios();

}  // namespace knead::engine::cuda
