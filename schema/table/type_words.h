#pragma once

#include <string>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Names a type for messages: "a whole number", "one of cpu, cuda", "a number with a unit". The
/// words fit after "must be"; alternatives are joined with "or".
std::string type_in_words(const Type& type);

/// Describes the bounds of a number: "at least 1", "more than 0 and at most 1", "1"; empty without
/// bounds.
std::string bounds_in_words(const Type& type);
/// Returns whether a number lies within the bounds of a type; always true for a type without
/// bounds.
bool is_within_bounds(const Type& type, double value);

/// Describes the allowed length of a list: "2 items", "at least 1 item", "1 to 3 items".
std::string length_in_words(const Type& type);

/// Returns whether a node has the YAML kind that a type accepts; bounds and formats are not
/// checked. A choice or quantity must be text, and an integer also fits a number.
bool kind_fits(const Type& type, const Node& node);

/// Returns a scalar in quotes for a message: double quotes if the recipe has quotes, otherwise
/// single.
std::string as_written(const Node& node);

/// Returns a hint for a value of the wrong type, such as "write true" or "each has a value: {x: …}"
/// for a list of names; empty without a guess. `node` has failed the check against `type` before.
std::string what_to_write(const Type& type, const Node& node);

}  // namespace knead::schema
