#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// A pattern of PCRE2 for one character of a class of the tokenizers library, by its name in
/// character_tables.h. Nothing where there is no such class.
std::optional<std::string> find_character_class(std::string_view name);

/// What stands between the brackets, where the class can be told so.
std::optional<std::string> find_class_items(std::string_view name);

/// The same two for a name that the program itself writes.
std::string character_class(std::string_view name);
std::string class_items(std::string_view name);

/// White_Space of Unicode.
bool is_white_space(char32_t character);

/// The character that begins at `at`, and moves `at` behind it. `text` is UTF-8.
char32_t next_character(std::string_view text, std::size_t& at);

/// Where the character before `at`, which is not 0, begins.
std::size_t begin_of_last(std::string_view text, std::size_t at);

/// Appends a character as UTF-8.
void append_character(std::string& text, char32_t character);

}  // namespace knead::data
