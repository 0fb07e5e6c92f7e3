#pragma once

#include <optional>
#include <string>

#include "schema/rules/lengths.h"
#include "schema/rules/rule_view.h"

namespace knead::schema {

// Lengths of a recipe as far as it says them itself, without its data.

/// Nothing where rows are shares, held out, or not written.
std::optional<Epoch> epoch_of(const RuleView& recipe);

/// The key that says how long the schedule is: schedule.over where it is written, else train.until.
const char* whole_of_schedule(const RuleView& recipe);

/// The length at a path and a whole in one measure: in the unit that both have, else in steps. A
/// share is one of the whole. Nothing where that cannot be told.
struct Compared {
  double part, whole;
};
std::optional<Compared> compare_lengths(const RuleView& recipe, const std::string& part,
                                        const std::string& whole);

}  // namespace knead::schema
