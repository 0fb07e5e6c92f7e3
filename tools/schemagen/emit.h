#pragma once

#include <string>

#include "tools/schemagen/model.h"

namespace knead::schemagen {

/// Returns the text of recipe/key.h, which the headers of all blocks include.
std::string emit_key_header();

/// Returns the header of a file of the language, recipe.h or recipe/<block>.h: it has a struct per
/// object, a std::variant per oneOf and an enum per choice.
std::string emit_header(const SchemaModel& model, const std::string& block);

/// Returns the text of recipe_reader.cpp, which converts a validated tree to the structs of the
/// headers.
std::string emit_reader(const SchemaModel& model);

/// Returns the text of recipe_table.cpp: it holds the schema as constant data, for validation and
/// the reference.
std::string emit_table(const SchemaModel& model);

/// Returns the C++ name of a key: class → class_.
std::string member_name(const std::string& key);

}  // namespace knead::schemagen
