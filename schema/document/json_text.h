#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace knead::schema {

// The parser and the writer of nlohmann-json are templates that take the compiler seconds in each
// unit that calls them. Calling these functions instead compiles them once.

/// Parses a text. Throws nlohmann::json::parse_error, with the place in bytes, if it is not JSON.
nlohmann::json parse_json(std::string_view text);

/// Parses a text. Returns std::nullopt if it is not JSON, for callers whose message names no place.
std::optional<nlohmann::json> parse_json_or_none(std::string_view text);

/// Writes a value as text: on one line, or with `indent` spaces per level. A number that is not
/// finite becomes null, because JSON has none. Throws nlohmann::json::type_error if a string is not
/// UTF-8.
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// Writes a value as json_text(), but bytes of a string that are not UTF-8 become U+FFFD: for lines
/// that people read, where a name that a user gave must not end a run.
std::string readable_json_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace knead::schema
