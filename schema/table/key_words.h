#pragma once

#include <string>

#include "schema/table/catalog.h"

namespace knead::schema {

/// Describes a key for a terminal: meaning, type, bounds, default, example, names in other
/// programs.
std::string key_in_words(const Key& key);

/// Describes the type and bounds of a value: "a whole number, at least 1".
std::string value_in_words(const Type& type);

/// Describes the default of a key: "required", "0.01", "auto: the machine's cores" or "absent".
std::string default_in_words(const Key& key);

}  // namespace knead::schema
