#pragma once

#include <string>

#include "recipe/evaluate.h"

namespace knead::engine {

/// Returns lines of a plan on what evaluations keep and write besides their numbers; empty if they
/// do neither.
std::string evaluated_lines(const recipe::Evaluate& evaluate);

}  // namespace knead::engine
