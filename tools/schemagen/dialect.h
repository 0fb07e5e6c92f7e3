#pragma once

#include <string>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schemagen {

/// The words that recipe.schema.yaml may use. All throw schema::InvalidRecipe at the word's place.

[[noreturn]] void refuse(const schema::Place& place, std::string message);

/// Refuses words that the dialect does not have.
void check_words(const schema::Node& node);

/// Refuses words of a type beside a $ref, where they would mean nothing.
void check_words_beside_ref(const schema::Node& node);

/// The meaning of an x-format and of one unit of an x-unit.
schema::Format format_of(const schema::Node& word);
schema::Unit unit_of(const schema::Node& word);

}  // namespace knead::schemagen
