#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knead::syntax {

/// The character at the beginning of valid UTF-8, which is not empty.
char32_t first_character(std::string_view utf8);

/// A character as UTF-8. It must be one: at most U+10FFFF and no surrogate.
std::string as_utf8(char32_t character);

/// The bytes at the beginning of a text that are part of a name. Of other letters than ASCII those
/// that mean the same however Unicode normalises them; Python would change the others silently.
std::size_t name_length(std::string_view text);

}  // namespace knead::syntax
