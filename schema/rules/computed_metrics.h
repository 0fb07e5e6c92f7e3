#pragma once

#include <string>
#include <string_view>

#include "schema/rules/rule_view.h"

namespace knead::schema {

// The metrics that a recipe computes, for rules about keys that name one.

/// Returns whether a recipe has the set `train`, `validation` or `test`.
bool has_set(const RuleView& recipe, std::string_view set);

/// Returns the name that a run gives to a metric: its own, or the name of its type.
std::string metric_name(const Node& metric);

/// Returns whether a metric is computed on the validation set. False too if the names of the
/// computed metrics are doubtful.
bool is_validated(const RuleView& recipe, const std::string& metric);

/// Returns whether a metric is a share from 0 to 1.
bool metric_is_share(const RuleView& recipe, std::string_view metric);

/// Returns whether a metric is better when it is high.
bool is_bigger_better(const RuleView& recipe, std::string_view metric);

/// Returns whether the metric that a key names is computed, and reports it otherwise.
bool check_metric(const RuleView& recipe, const Node& written, std::string_view key);

/// Does the same for a key that looks at the validation set only, and reports a metric of another
/// set.
bool check_validated(const RuleView& recipe, const Node& written, std::string_view key);

}  // namespace knead::schema
