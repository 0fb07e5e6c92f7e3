#pragma once

#include <string>

#include "tools/schemagen/model.h"

namespace knead::schemagen {

/// recipe.h: a struct for each block, a std::variant for each oneOf, an enum for each choice.
std::string emit_header(const SchemaModel& model);

/// recipe_reader.cpp: from a validated tree to these structs.
std::string emit_reader(const SchemaModel& model);

/// recipe_table.cpp: the schema as constant data, for validation and the reference.
std::string emit_table(const SchemaModel& model);

/// A key as a C++ name: class → class_.
std::string member_name(const std::string& key);

}  // namespace knead::schemagen
