#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/rules/rule_view.h"

namespace knead::schema {

/// The data sets of a recipe, by path.
inline constexpr const char* kSets[] = {"data.train", "data.validation", "data.test"};

/// Joins the path of a set and a key: "data.train.rows".
std::string under(const std::string& set, const char* key);

/// Returns the names of a data set's fields: those of its `fields`, or the fixed names of its type;
/// for a mix, those of its first set. Returns std::nullopt if the set is absent, or if its fields
/// are doubtful or known only from the files. `set` is a path such as "data.train". The views refer
/// to the tree of `recipe`. For images the names include `label`, although a list of images may
/// have no labels.
std::optional<std::vector<std::string_view>> field_names(const RuleView& recipe,
                                                         std::string_view set);

/// Returns the paths of all sets, each mix followed by its parts: "data.train", "data.train.of.0".
/// The paths of absent sets are among them; RuleView finds nothing there.
std::vector<std::string> all_sets(const RuleView& recipe);

/// Returns the paths of the sets in a mix; for any other set, only its own path.
std::vector<std::string> parts_of(const RuleView& recipe, const std::string& set);

/// Returns the path of the set that describes the samples of `set`: the first part of a mix, or the
/// set itself.
std::string samples_like(const RuleView& recipe, const std::string& set);

}  // namespace knead::schema
