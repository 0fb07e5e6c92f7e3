#pragma once

#include <string>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schemagen {

// These functions check and read the keywords of schema/language/. Each of them throws
// schema::InvalidRecipe at the place of a wrong keyword.

/// Throws schema::InvalidRecipe with one problem at `place`.
[[noreturn]] void refuse(const schema::Place& place, std::string message);

/// Refuses keywords that the files of schema/language/ may not use.
void check_words(const schema::Node& node);

/// Refuses keywords that describe a type beside a $ref, where they would have no effect.
void check_words_beside_ref(const schema::Node& node);

/// Returns the format that an x-format names. Refuses an unknown name.
schema::Format format_of(const schema::Node& word);
/// Returns the unit that an item of x-unit names. Refuses an unknown name.
schema::Unit unit_of(const schema::Node& word);

}  // namespace knead::schemagen
