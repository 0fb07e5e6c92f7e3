#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "runner/engine/page/plan_facts.h"

namespace knead::engine {

/// What a person sees of a plan, below what the recipe asks for: steps, learning rate, model,
/// memory, the first step. `state`: what a run would begin with: "a new run".
std::string plan_page(const Job& job, const PlanFacts& facts, const std::string& state);

/// The same for programs. Bytes, samples, steps counted from 1; work in multiplications and
/// additions.
nlohmann::json plan_json(const Job& job, const PlanFacts& facts, const std::string& state);

}  // namespace knead::engine
