#pragma once

#include <string>

#include "schema/table/catalog.h"

namespace knead::schema {

/// Describes a key for a terminal: meaning, type, bounds, default, example, names in other
/// programs, and whether it may change on resume or is a secret. Each line is indented by two
/// spaces and ends with '\n'; a line without content is left out.
std::string key_in_words(const Key& key);

/// Describes the type and bounds of a value: "a whole number, at least 1". For lists and
/// dictionaries it includes their items, for blocks only the names of their keys.
std::string value_in_words(const Type& type);

/// Describes the default of a key: "required", "0.01", "auto: the machine's cores" or "absent".
std::string default_in_words(const Key& key);

}  // namespace knead::schema
