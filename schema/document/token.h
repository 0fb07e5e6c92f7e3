#pragma once

#include <string>
#include <string_view>

namespace knead::schema {

/// yaml-cpp says where a token begins; these find where it ends, for the line under the text.
struct Token {
  std::size_t end;
  bool closed = true;  // false: a quote that the text never closes, which yaml-cpp accepts
};

/// The end of the scalar that begins at byte `at` and has the given value.
Token scalar_token(std::string_view text, std::size_t at, std::string_view value);

/// The end of `*name` at byte `at`.
std::size_t alias_end(std::string_view text, std::size_t at);

/// Whether the '[' or '{' at byte `at` is closed before the text ends.
bool bracket_closes(std::string_view text, std::size_t at);

/// Skips `&anchor` and `!tag`, which come before the value they belong to.
std::size_t skip_properties(std::string_view text, std::size_t at);

/// Whether `~`, `null`, `Null` or `NULL` stands at byte `at`, and where it ends.
bool is_null_word(std::string_view text, std::size_t at);
std::size_t null_word_end(std::string_view text, std::size_t at);

/// "-007" → "-7", "00.5" → "0.5".
std::string without_leading_zeros(std::string_view number);

}  // namespace knead::schema
