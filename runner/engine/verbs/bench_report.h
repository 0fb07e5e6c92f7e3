#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "recipe.h"
#include "runner/engine/rehearse/bench.h"

namespace knead::engine {

/// Says how much of adding up the gradients backward hides, from what each rank can tell of it: the
/// share, from 0 to 1, or nothing.
std::string hiding_words(const std::vector<std::optional<double>>& shares);

/// Returns what a rank has measured: the seconds of each part of a step, with median, 9 of 10 and
/// share of the whole, and for one of several ranks what it reduced, `hidden` being null if nothing
/// can be told of it.
nlohmann::json report_of_rank(const Bench& bench);

/// Returns the report of a benchmark as JSON, from that of each rank.
nlohmann::json bench_json(const recipe::Recipe& recipe, const Bench& bench,
                          const std::vector<nlohmann::json>& ranks);

/// Returns the report of a benchmark as text, with a line for each part of a step, or for each of
/// several ranks. `bench` is that of rank 0.
std::string bench_text(const recipe::Recipe& recipe, const Bench& bench,
                       const std::vector<nlohmann::json>& ranks);

}  // namespace knead::engine
