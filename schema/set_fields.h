#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schema/rule_view.h"

namespace knead::schema {

/// The names of a data set's fields, as far as the recipe says them: those of its `fields`, or the
/// ones that its type always has. Nothing where they are doubtful or known only from the files.
/// `set`: "data.train".
std::optional<std::vector<std::string_view>> field_names(const RuleView& recipe,
                                                         std::string_view set);

}  // namespace knead::schema
