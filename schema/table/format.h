#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/table/table.h"

namespace knead::schema {

/// Returns why a text does not have the format, as the end of a sentence that begins with the key,
/// or std::nullopt if it has the format: "must be 1 to 64 letters, …". Looks at the text only: a
/// path need not exist.
std::optional<std::string> format_fault(Format format, std::string_view text);

/// Returns the regular expression of a format for JSON Schema, or an empty text if any text fits.
/// It checks less than format_fault(): a path may have any length.
std::string_view format_pattern(Format format);

/// Describes a format for the reference: "a name: letters, digits, '.', '_', '-'".
std::string_view format_words(Format format);

}  // namespace knead::schema
