#pragma once

#include <string>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// "a whole number", "one of cpu, cuda", "a number with a unit (steps, epochs)": what a message
/// says is wanted.
std::string type_in_words(const Type& type);

/// "at least 1", "more than 0 and at most 1", "1".
std::string bounds_in_words(const Type& type);
bool is_within_bounds(const Type& type, double value);

/// "2 items", "at least 1 item".
std::string length_in_words(const Type& type);

/// Whether a node is of the YAML kind that a type takes, whatever its value.
bool kind_fits(const Type& type, const Node& node);

/// A scalar as it stands in the recipe, in quotes for a message.
std::string as_written(const Node& node);

/// What to write for a scalar of the wrong type, where that can be guessed: "write true", "leave
/// out the quotes".
std::string what_to_write(const Type& type, const Node& node);

}  // namespace knead::schema
