#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// Returns a PCRE2 pattern for one character of a class of the tokenizers library, named as in
/// character_tables.h; std::nullopt if the class is unknown.
std::optional<std::string> find_character_class(std::string_view name);

/// Returns the class as items for PCRE2 brackets; std::nullopt if the class is unknown or cannot be
/// written as items alone.
std::optional<std::string> find_class_items(std::string_view name);

/// Returns the pattern of a class that must exist: an unknown name is a mistake in the program, not
/// in a file.
std::string character_class(std::string_view name);
/// Returns the bracket items of a class that must exist and have them.
std::string class_items(std::string_view name);

/// Returns whether a character has Unicode's White_Space property.
bool is_white_space(char32_t character);

/// Returns the character that begins at offset `at` and moves `at` past it. `text` is valid UTF-8,
/// and `at` is below its size and at the beginning of a character: see expect_utf8().
char32_t next_character(std::string_view text, std::size_t& at);

/// Returns the offset of the character that ends at `at`, which is not 0. `text` is valid UTF-8.
std::size_t begin_of_last(std::string_view text, std::size_t at);

/// Appends a character to `text` as UTF-8. It must be a code point that UTF-8 can encode.
void append_character(std::string& text, char32_t character);

}  // namespace knead::data
