#pragma once

#include <string>

#include "tools/schemagen/model.h"

namespace knead::schemagen {

/// Writes recipe.h: a struct per block, a std::variant per oneOf, an enum per choice.
std::string emit_header(const SchemaModel& model);

/// Writes recipe_reader.cpp, which converts a validated tree to the structs of recipe.h.
std::string emit_reader(const SchemaModel& model);

/// Writes recipe_table.cpp: the schema as constant data, for validation and the reference.
std::string emit_table(const SchemaModel& model);

/// Returns the C++ name of a key: class → class_.
std::string member_name(const std::string& key);

}  // namespace knead::schemagen
