#pragma once

#include <optional>
#include <string>

#include "schema/rules/lengths.h"
#include "schema/rules/rule_view.h"

namespace knead::schema {

// Lengths that the recipe alone determines, without its data.

/// Returns the length of an epoch of the training set, if the recipe alone determines it. Returns
/// std::nullopt if `rows` is absent or a share, or if another set holds out rows. A rule then stays
/// silent, and `plan` and `run` check again when they have opened the data.
std::optional<Epoch> epoch_of(const RuleView& recipe);

/// Returns the key that gives the length of the schedule: schedule.over if written, otherwise
/// train.until.
const char* whole_of_schedule(const RuleView& recipe);

/// Two lengths in the same unit, which the struct does not name: only their ratio and order count.
struct Compared {
  double part, whole;
};
/// Compares the length at the path `part` with the length at `whole`: in their common unit,
/// otherwise in steps. A percentage becomes a share of 1. Returns std::nullopt if the recipe alone
/// does not tell.
std::optional<Compared> compare_lengths(const RuleView& recipe, const std::string& part,
                                        const std::string& whole);

}  // namespace knead::schema
