#pragma once

#include <string>

#include "schema/table/table.h"

namespace knead::schema {

/// Returns the language as strict JSON Schema draft-07, for editors and other tools. Rules over
/// several keys, the existence of files and the effect of `extends` cannot be expressed; only
/// `knead lint` checks them. The text is indented, ends with a line end, and depends on `root`
/// only.
std::string json_schema(const Type& root = recipe_type());

}  // namespace knead::schema
