#pragma once

#include <cstddef>
#include <optional>

#include "recipe.h"
#include "runner/sweep/agenda.h"
#include "schema/document/quantity.h"

namespace knead::sweep {

/// Returns how far a trial trains until it is judged for the `rung`-th time, from 0. For a sweep
/// with `prune`.
schema::Quantity rung_length(const recipe::Sweep& sweep, std::size_t rung);

/// Returns the rule of `prune`; std::nullopt without the block.
std::optional<PruneRule> prune_rule(const recipe::Sweep& sweep);

}  // namespace knead::sweep
