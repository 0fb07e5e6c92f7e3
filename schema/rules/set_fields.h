#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/rules/rule_view.h"

namespace knead::schema {

inline constexpr const char* kSets[] = {"data.train", "data.validation", "data.test"};

/// The path of a key of a set: "data.train.rows".
std::string under(const std::string& set, const char* key);

/// The names of a data set's fields, of a mix those of its first set, as far as the recipe says
/// them: those of its `fields`, or the ones that its type always has. Nothing where they are
/// doubtful or known only from the files. `set`: "data.train".
std::optional<std::vector<std::string_view>> field_names(const RuleView& recipe,
                                                         std::string_view set);

/// The sets of a recipe, each mix followed by the sets in it: "data.train", "data.train.of.0".
std::vector<std::string> all_sets(const RuleView& recipe);

/// The sets in a mix; of another set only itself.
std::vector<std::string> parts_of(const RuleView& recipe, const std::string& set);

/// The set that says what the samples of a set are like: itself, or of a mix the first in it.
std::string samples_like(const RuleView& recipe, const std::string& set);

}  // namespace knead::schema
