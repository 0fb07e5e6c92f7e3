#pragma once

#include <string>

#include "runner/engine/page/plan_facts.h"

namespace knead::engine {

/// Returns the part of the plan's page that tells the memory of a run by its purpose: of the
/// process, or of a rank under the strategy that the run takes and under each one.
std::string memory_section(const PlanFacts& facts);

}  // namespace knead::engine
