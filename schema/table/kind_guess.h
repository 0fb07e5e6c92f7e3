#pragma once

#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// What can be said of a block that has several kinds and does not say which it is.

/// The key that its `type` was written as, as in `kind: adamw`: unknown to all kinds, with the name
/// of one; null if there is none.
const Entry* type_by_another_name(const Type& type, const Node& block);

/// The kinds that know most of its keys, in the schema's order: at least one.
std::vector<const Kind*> likely_kinds(const Type& type, const Node& block);

/// What each of these kinds that has a key takes for it; null where they differ, or none has it.
const Type* common_type(const std::vector<const Kind*>& kinds, std::string_view key);

}  // namespace knead::schema
