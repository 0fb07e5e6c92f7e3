#pragma once

#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

// Guesses for a block that has several kinds and lacks a valid `type`.

/// Returns the entry that was probably meant as `type`, as in `kind: adamw`: its key is unknown to
/// all kinds, and its value names a kind. Returns null if there is none.
const Entry* type_by_another_name(const Type& type, const Node& block);

/// Returns the kinds that have the most keys of the block, in the schema's order; at least one, and
/// all of them for a block without a known key. `type` must have kinds.
std::vector<const Kind*> likely_kinds(const Type& type, const Node& block);

/// Returns the type that `key` has in all of `kinds` that have it, or null if they differ or none
/// has it. A value of this type can be checked although the kind is uncertain.
const Type* common_type(const std::vector<const Kind*>& kinds, std::string_view key);

}  // namespace knead::schema
