#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "runner/engine/page/plan_facts.h"

namespace knead::engine {

/// Returns the text of a plan for people: steps, learning rate, model, memory and the first step.
/// It follows the summary of the recipe. `state` says how a run would begin: "a new run".
std::string plan_page(const recipe::Recipe& recipe, const Course& course, const PlanFacts& facts,
                      const std::string& state);

/// Returns a plan for programs. Memory is in bytes, steps count from 1, FLOPs are multiplications
/// and additions per sample. `state` says how a run would begin, as in plan_page().
nlohmann::json plan_json(const std::string& name, const PlanFacts& facts, const std::string& state);

}  // namespace knead::engine
