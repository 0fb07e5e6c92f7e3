#pragma once

#include <string>

#include "schema/table/catalog.h"

namespace knead::schema {

/// What one key means, for a terminal: meaning, type, bounds, default, example, names elsewhere.
std::string key_in_words(const Key& key);

/// "a whole number, at least 1": type and bounds of a value.
std::string value_in_words(const Type& type);

/// "required", "0.01", "computed: the machine's cores", "absent".
std::string default_in_words(const Key& key);

}  // namespace knead::schema
