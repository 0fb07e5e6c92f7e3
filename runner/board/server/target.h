#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knead::board {

/// Names the page that a request asks for, below the token.
struct Target {
  std::string path;  // "/run"
  /// In the order of the query, decoded; bytes that are not UTF-8 stay as they are, since names of
  /// folders may have them.
  std::vector<std::pair<std::string, std::string>> parameters;

  /// Returns the first parameter of a name; an empty text if there is none.
  std::string parameter(std::string_view name) const;
  /// Returns all parameters of a name.
  std::vector<std::string> all(std::string_view name) const;
};

/// Reads a target "/run?name=a%20b". Returns std::nullopt if a percent sign is not followed by two
/// hexadecimal digits, or the path has one at all: no path of the board needs it.
std::optional<Target> target_in(std::string_view text);

/// Returns a text as the value of a parameter: all bytes but letters, digits and `-._~/` encoded.
std::string encoded(std::string_view text);

}  // namespace knead::board
