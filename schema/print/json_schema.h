#pragma once

#include <string>

#include "schema/table/table.h"

namespace knead::schema {

/// The language as strict JSON Schema draft-07, for editors and other tools. What a schema cannot
/// say (rules over several keys, files that must exist, what `extends` brings in) only `knead lint`
/// checks.
std::string json_schema(const Type& root = recipe_type());

}  // namespace knead::schema
