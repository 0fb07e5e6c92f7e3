#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/table/table.h"

namespace knead::schema {

/// What is wrong with a text of that format, as the end of a sentence that begins with the key;
/// nothing if it fits.
std::optional<std::string> format_fault(Format format, std::string_view text);

/// The regular expression of a format for JSON Schema; empty if any text will do.
std::string_view format_pattern(Format format);

/// "a name of letters, digits, '.', '_' and '-'", for the reference.
std::string_view format_words(Format format);

}  // namespace knead::schema
