#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knead::syntax {

/// Returns the first code point of valid, non-empty UTF-8. Does not check the bytes: parse() has
/// done so for a whole file.
char32_t first_character(std::string_view utf8);

/// Encodes a code point as 1 to 4 bytes of UTF-8. It must be at most U+10FFFF and not a surrogate.
std::string as_utf8(char32_t character);

/// Returns the length in bytes of the identifier at the beginning of a text, 0 if there is none: 4
/// for "gelu(x)". The text is valid UTF-8. Beyond ASCII it accepts only Latin, Greek, Cyrillic,
/// kana, Han and Hangul letters that NFKC leaves unchanged; Python would silently change the others
/// (PEP 3131), so that two spellings mean one name.
std::size_t name_length(std::string_view text);

}  // namespace knead::syntax
