#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "runner/engine/page/plan_facts.h"

namespace knead::engine {

/// Returns the text of a plan for people: steps, learning rate, model, memory and the first step,
/// each a section that begins with an empty line. The caller prints the summary of the recipe
/// before it. `state` says how a run would begin: "a new run", "from step 500, which is saved".
/// Pure: the facts are measured already.
std::string plan_page(const recipe::Recipe& recipe, const Course& course, const PlanFacts& facts,
                      const std::string& state);

/// Returns a plan for programs. `name` is the name of the run. Memory is in bytes, steps count from
/// 1, FLOPs are multiplications and additions per sample. Keys on the whole run are absent if its
/// length is a time, and a loss is null if no target of the first samples counts. Lists of steps
/// hold at most what DueSteps holds. `state` says how a run would begin, as in plan_page().
nlohmann::json plan_json(const std::string& name, const PlanFacts& facts, const std::string& state);

}  // namespace knead::engine
